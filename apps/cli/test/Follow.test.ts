import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Fake from "./Fake.ts"

const at = "2026-11-22T10:00:00.000Z"

const request = (id: number, process: string) => ({
  id,
  at,
  method: "POST",
  path: `/v2/${id}`,
  status: 400,
  milliseconds: 6,
  requestId: `${process}-${id}`,
  unknownKeys: ["payDay"],
  faultyFields: []
})

const event = (id: number) => ({
  subject: { kind: "transaction", id: String(id) },
  myId: `p-${id}`,
  status: "captured",
  value: 1990,
  at,
  businessAt: at,
  events: [{ _tag: "TransactionAdded" }],
  actor: "Client",
  changed: ["status"]
})

const delivery = (webhookId: number) => ({
  webhookId,
  endpointId: 1,
  event: "transaction.updateStatus",
  transactionId: 4,
  state: "pending",
  attempts: 0,
  createdAt: at,
  at
})

/** Runs a command until the request `until`, without a timeout, and then presses Ctrl+C. */
const following = (words: string, play: (request: Fake.SentRequest) => Fake.Played, columns?: number) =>
  Effect.gen(function* () {
    const world = { play, interruptAt: "after=99", ...(columns === undefined ? {} : { columns }) }
    const fiber = yield* Effect.forkChild(Fake.parcela(words.split(" "), world))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

const afterOf = ({ url }: Fake.SentRequest) => new URL(url).searchParams.get("after")

describe("--follow", () => {
  it.effect("prints a line for each new event after the number of --after, until Ctrl+C", () =>
    Effect.gen(function* () {
      const pages: ReadonlyArray<Fake.Played> = [
        [200, { events: [event(1), event(2)], next: "0-2" }],
        [200, { events: [], next: "0-2" }],
        [200, { events: [event(3)], next: "99" }]
      ]
      let requests = 0
      const ran = yield* following("sandbox events --follow --after 0-7", () => pages[requests++] ?? "silent")
      assert.deepStrictEqual(ran.requests.map(afterOf), ["0-7", "0-2", "0-2", "99"])
      assert.strictEqual(ran.code, 130)
      assert.deepStrictEqual(ran.out.split("\n"), [
        "COMPANY'S TIME       ENTITY           STATUS    VALUE     BY      EVENTS",
        ...[1, 2, 3].map(
          (id) => `2026-11-22 07:00:00  transaction p-${id}  captured  R$ 19,90  Client  TransactionAdded`
        )
      ])
    })
  )

  it.effect("shows the time in a terminal of 80 columns too, and omits actor and amount", () =>
    Effect.gen(function* () {
      const page: Fake.Played = [200, { events: [{ ...event(1), myId: "order-2026-000117" }], next: "99" }]
      const { out } = yield* following("sandbox events --follow --after 0-7", () => page, 80)
      const [note, head, row] = out.split("\n")
      assert.include(note, "BY, VALUE")
      assert.match(head!, /^COMPANY'S TIME +ENTITY +STATUS +EVENTS$/u)
      assert.match(row!, /^2026-11-22 07:00:00 {2}transaction order-2026-000117 {2}captured {2}TransactionAdded$/u)
    })
  )

  it.effect("begins after the existing events, and with the first event of a company without events", () =>
    Effect.gen(function* () {
      const afterFirst = (next?: string) => (request: Fake.SentRequest) =>
        afterOf(request) === "end"
          ? ([200, { events: [], ...(next === undefined ? {} : { next }) }] as const)
          : ([200, { events: [event(3)], next: "99" }] as const)
      const started = yield* following("sandbox events --follow", afterFirst("0-7"))
      assert.deepStrictEqual(started.requests.map(afterOf).slice(0, 3), ["end", "0-7", "99"])
      const empty = yield* following("sandbox events --follow", afterFirst())
      assert.deepStrictEqual(empty.requests.map(afterOf).slice(0, 3), ["end", null, "99"])
    })
  )

  it.effect(
    "prints on stderr what it follows and from which number after the first response, and nothing with JSON",
    () =>
      Effect.gen(function* () {
        const nothing = { events: [], requests: [], deliveries: [delivery(99)], next: "99" }
        const output = {
          "events --follow": "events from now on",
          "events --follow --after 0-7": "events after 0-7",
          "requests --follow --after 8": "requests after 8",
          "deliveries list --follow": "all deliveries, the oldest first",
          "deliveries list --follow --after 8": "deliveries after 8"
        }
        for (const [words, what] of Object.entries(output)) {
          const numbered = words.startsWith("requests") ? { ...nothing, next: 99 } : nothing
          const { err } = yield* following(`sandbox ${words}`, () => [200, numbered])
          assert.strictEqual(err, `Following ${what}; Ctrl+C ends it.`)
        }
        assert.strictEqual((yield* following("sandbox events --follow --json", () => [200, nothing])).err, "")
        const away = yield* Fake.parcela(["sandbox", "events", "--follow"], { play: () => "refused" })
        assert.notInclude(away.err, "Following")
      })
  )

  it.effect("begins again after a restart of the sandbox with lower numbers if nothing was shown before", () =>
    Effect.gen(function* () {
      const pages: ReadonlyArray<Fake.Played> = [
        [200, { requests: [], next: 50 }],
        "refused",
        [200, { requests: [], next: 1 }],
        [200, { requests: [request(1, "b")], next: 99 }]
      ]
      let requests = 0
      const ran = yield* following("sandbox requests --follow --after 50", () => pages[requests++] ?? "silent")
      assert.deepStrictEqual(ran.requests.map(afterOf), ["50", "50", "50", "0", "99"])
    })
  )

  it.effect(
    "waits for a restarting sandbox, reports that once, and begins with its first request if numbers start again",
    () =>
      Effect.gen(function* () {
        const pages: ReadonlyArray<Fake.Played> = [
          [200, { requests: [request(11, "a"), request(12, "a")], next: 12 }],
          "refused",
          "refused",
          [503, { error: { message: "Starting" } }],
          // Number 12 of another process is not the one that was shown.
          [200, { requests: [request(12, "b")], next: 12 }],
          [200, { requests: [request(1, "b")], next: 1 }],
          "refused",
          // The same process was away: nothing is shown twice.
          [200, { requests: [request(1, "b")], next: 1 }],
          [200, { requests: [request(2, "b")], next: 99 }]
        ]
        let requests = 0
        const ran = yield* following("sandbox requests --follow", () => pages[requests++] ?? "silent")
        assert.deepStrictEqual(ran.requests.map(afterOf), [null, "12", "11", "11", "11", "0", "1", "0", "1", "99"])
        assert.deepStrictEqual(
          ran.out
            .split("\n")
            .map((line) => line.split(/ {2,}/u))
            .map((cells) => [cells[5], cells.at(-1)]),
          [["PATH", "FAULTS"], ...[11, 12, 1, 2].map((id) => [`/v2/${id}`, "payDay (unknown)"])]
        )
        assert.deepStrictEqual(ran.err.split("\n"), [
          "Following requests from the latest on; Ctrl+C ends it.",
          "The sandbox does not respond: waiting for it ..",
          "The sandbox responds again.",
          "The sandbox does not respond: waiting for it ..",
          "The sandbox responds again."
        ])
      })
  )

  it.effect("prints column names once, again if they change, and complete reasons in a narrow terminal", () =>
    Effect.gen(function* () {
      const problem = "The receiver responded with 500, which is tried again in half a minute, and so on for two days"
      const pages = [[delivery(1), { ...delivery(2), problem }], [{ ...delivery(3), problem }]]
      let requests = 0
      const ran = yield* following(
        "sandbox deliveries list --follow",
        () => [200, { deliveries: pages[requests++] ?? [delivery(99)] }],
        80
      )
      const lines = ran.out.split("\n")
      for (const line of lines) assert.isAtMost(line.length, 80, line)
      assert.lengthOf(
        lines.filter((line) => line.startsWith("ID ")),
        1
      )
      assert.strictEqual(
        lines
          .filter((line) => !line.startsWith("ID "))
          .join(" ")
          .replaceAll(/\s+/gu, " ")
          .split(problem).length,
        3
      )
    })
  )

  it.effect("prints the JSON of each event unchanged on one line with --json", () =>
    Effect.gen(function* () {
      const all = [delivery(1), delivery(99)]
      const ran = yield* following("sandbox deliveries list --follow --json --endpoint-id 1", (request) =>
        afterOf(request) === "0" ? [200, { deliveries: all }] : "silent"
      )
      assert.deepStrictEqual(
        ran.out.split("\n").map((line) => JSON.parse(line)),
        all
      )
      assert.deepStrictEqual(
        [...new URL(ran.requests[0]!.url).searchParams],
        [
          ["endpointId", "1"],
          ["after", "0"]
        ]
      )
    })
  )

  it.effect("fails without a sandbox, when the sandbox refuses, and for a list that cannot be followed", () =>
    Effect.gen(function* () {
      const away = yield* following("sandbox events --follow", () => "refused")
      assert.strictEqual(away.code, 3)
      const details = { "Event.after": ["no such place"] }
      const wrong = yield* following("sandbox events --follow --after x", () => [
        400,
        { error: { message: "no", details } }
      ])
      assert.deepStrictEqual([wrong.code, wrong.out], [1, ""])
      const state = yield* following("sandbox deliveries list --follow --state pending", () => "silent")
      assert.deepStrictEqual([state.code, state.requests.length], [2, 0])
    })
  )
})
