import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { byCard, cards } from "@parcela/test-world/Samples"
import { call, onServer, token } from "@parcela/test-world/Server"

const control = (name: string, body: unknown, company = "sandbox") =>
  call("POST", `/sandbox/companies/${company}/subscriptions/${name}`, { body })

describe("the controls of subscriptions", () => {
  it.effect("stop and reactivate a subscription, and change nothing when repeated", () =>
    Effect.gen(function* () {
      const bearer = yield* token
      const monthly = { value: 1990, quantity: 0, periodicity: "monthly", firstPayDayDate: "2026-09-21" }
      const body = { ...byCard(cards.captured), ...monthly }
      assert.strictEqual((yield* call("POST", "/v2/subscriptions", { token: bearer, body })).status, 200)
      const stopped = yield* control("stop", { myId: "sub" })
      assert.deepStrictEqual([stopped.status, stopped.json], [200, { status: "stopped" }])
      assert.deepStrictEqual((yield* control("stop", { myId: "sub" })).json, stopped.json)
      for (const _ of ["first", "again"]) {
        const active = yield* control("reactivate", { myId: "sub" })
        assert.deepStrictEqual([active.status, active.json], [200, { status: "active" }])
      }
      assert.strictEqual((yield* control("reactivate", { myId: "nobody" })).status, 404)
      assert.strictEqual((yield* control("stop", { myId: "sub" }, "nobody")).status, 404)
      assert.strictEqual((yield* control("stop", {})).status, 400)
      assert.strictEqual((yield* control("deactivate", { myId: "sub" })).status, 400)
    }).pipe(onServer())
  )
})
