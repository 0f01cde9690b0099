import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Fake from "./Fake.ts"

const at = "2026-11-22T10:00:00.000Z"
const entry = (kind: string, id: string, changed: ReadonlyArray<string>) => ({
  subject: { kind, id },
  at,
  businessAt: at,
  events: [],
  changed
})

it.effect("sandbox events shows the result of each entry, also of an entry without events", () =>
  Effect.gen(function* () {
    const attempt = "01a20648-b0fa-70a0-96a8-26ec57c7587d"
    const events = [
      entry("attempt", attempt, ["businessAt", "id", "kind", "startedAt", "transactionId"]),
      entry("attempt", attempt.replace(/d$/u, "e"), ["result"]),
      entry("subscription", "1", ["payments", "updatedAt"]),
      entry("webhook replay", "1", ["companyId", "createdAt", "filter", "id", "upTo"]),
      { ...entry("charge", "7", ["createdAt"]), myId: "order-1" },
      entry("charge", "7", ["value"])
    ]
    const { out } = yield* Fake.parcela(["sandbox", "events"], { play: () => [200, { events, next: "0-3" }] })
    const [, started, ended, counted, replay, created, edited] = out.split("\n")
    assert.match(started ?? "", /attempt …57c7587d +started$/u)
    assert.match(ended ?? "", /attempt …57c7587e +ended$/u)
    assert.match(counted ?? "", /subscription 1 +changed: payments$/u)
    assert.match(replay ?? "", /webhook replay 1 +started$/u)
    assert.match(created ?? "", /charge order-1 \(7\) +started$/u)
    assert.match(edited ?? "", /charge 7 +changed: value$/u)
  })
)
