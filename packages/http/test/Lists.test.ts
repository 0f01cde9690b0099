import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { byPix, payment, today } from "@parcela/test-world/Samples"
import { server, signIn } from "@parcela/test-world/Server"

layer(server())("the filters of a list", (it) => {
  it.effect("accept any day of the calendar, including the first and the last", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      yield* call("POST", "/v2/subscriptions/manual", { body: byPix() })
      yield* call("POST", "/v2/transactions/sub/myId/add", { body: payment("p") })
      const found = Effect.fnUntraced(function* (kind: "subscriptions" | "transactions", filter: string) {
        const answer = yield* call("GET", `/v2/${kind}?startAt=0&limit=10&${filter}`)
        assert.strictEqual(answer.status, 200, filter)
        return answer.json.totalQtdFoundInPage as number
      })
      for (const name of ["createdAt", "payDay", "updateStatus"]) {
        for (const [from, to, expected] of [
          [today, today, 1],
          ["1000-01-01", "9999-12-31", 1],
          ["2026-09-22", "9999-12-31", 0],
          ["1000-01-01", "2026-09-20", 0],
          ["9999-12-31", "1000-01-01", 0]
        ] as const) {
          const filter = `${name}From=${from}&${name}To=${to}`
          assert.strictEqual(yield* found("transactions", filter), expected, filter)
        }
      }
      assert.strictEqual(
        yield* found("subscriptions", "createdOrUpdatedAtFrom=1000-01-01&createdOrUpdatedAtTo=9999-12-31"),
        1
      )
    })
  )

  it.effect("are refused if they are not percent-encoded UTF-8", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      for (const value of ["%FF", "%", "%zz", "%C3%28", "%ED%A0%80"]) {
        const { json, status } = yield* call("GET", `/v2/transactions?startAt=0&limit=10&myIds=${value}`)
        assert.deepStrictEqual([status, json.error.message], [400, "The query is not percent-encoded UTF-8"], value)
      }
      assert.strictEqual((yield* call("GET", "/v2/transactions?startAt=0&limit=10&myIds=a%C3%A9+%25")).status, 200)
    })
  )

  it.effect("are refused with a clear message if one is given twice", () =>
    Effect.gen(function* () {
      const { call } = yield* signIn()
      const { json, status } = yield* call("GET", "/v2/transactions?startAt=0&startAt=1&limit=1000")
      assert.strictEqual(status, 400)
      assert.deepStrictEqual(json.error.details, {
        "Transaction.startAt": ["is sent more than once"],
        "Transaction.limit": ["must be a whole number from 1 to 100"]
      })
    })
  )
})
