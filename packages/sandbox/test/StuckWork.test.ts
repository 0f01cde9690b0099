import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { byCard, call, cards, onSandbox, payment, receiver, token, untilTimeBrings } from "./fixtures/Service.ts"

const letters = "/sandbox/companies/sandbox/dead-letters"

describe("the controls of stuck work", () => {
  it.effect("list parked work and release it, once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const row = { kind: "resolve attempt", subject: "no such attempt", company_id: 1, due_at: 1, tries: 3 }
      yield* sql`INSERT INTO due_work ${sql.insert({ ...row, last_problem: "A defect", parked_at: 1_790_000_000_000 })}`
      const { parkedWork } = (yield* call("GET", "/sandbox/parked-work")).json
      assert.deepStrictEqual(parkedWork, [
        {
          kind: row.kind,
          companyId: 1,
          subject: row.subject,
          parkedAt: "2026-09-21T14:13:20.000Z",
          tries: 3,
          problem: "A defect"
        }
      ])
      const asked = { kind: row.kind, subject: row.subject }
      const release = (body: unknown) => call("POST", "/sandbox/parked-work/release", { body })
      assert.strictEqual((yield* release({ ...asked, subject: "another" })).status, 404)
      for (const wrong of [{}, { ...asked, kind: "nonsense" }, { ...asked, more: 1 }, "{"]) {
        assert.strictEqual((yield* release(wrong)).status, 400, JSON.stringify(wrong))
      }
      assert.deepStrictEqual((yield* release(asked)).json, { released: true })
      assert.strictEqual((yield* release(asked)).status, 404)
      assert.deepStrictEqual((yield* call("GET", "/sandbox/parked-work")).json, { parkedWork: [] })
    }).pipe(onSandbox())
  )

  it.effect("list a company's dead letters with their tries, and deliver one or all of them again", () =>
    Effect.gen(function* () {
      const { answers, received, url } = yield* receiver
      const bearer = yield* token
      const events = ["transaction.updateStatus", "subscription.addTransaction"]
      yield* call("PUT", "/v2/webhooks", { token: bearer, body: { url, events } })
      yield* call("POST", "/v2/subscriptions/manual", { token: bearer, body: byCard(cards.captured) })
      answers.push(500, 500)
      yield* call("POST", "/v2/transactions/sub/myId/add", { token: bearer, body: payment("p") })
      yield* Queue.takeN(received, 2)
      const sql = yield* SqlClient.SqlClient
      const tried = sql<{ n: number }>`SELECT count(*) AS n FROM delivery_tries WHERE status = 500`
      yield* untilTimeBrings(Effect.map(tried, ([row]) => Number(row?.n) >= 2))
      yield* Queue.clear(received)
      // As after the last try.
      yield* sql`UPDATE deliveries SET state = 'given_up', given_up_at = 1790000000000, lease = NULL, lease_owner = NULL`

      const { deadLetters } = (yield* call("GET", letters)).json
      assert.lengthOf(deadLetters, 2)
      assert.hasAllKeys(deadLetters[0], ["webhookId", "event", "transactionId", "tries", "givenUpAt", "problem"])
      const [first, second] = deadLetters.map(({ webhookId }: { webhookId: number }) => webhookId)
      assert.lengthOf((yield* call("GET", `${letters}?after=${first}`)).json.deadLetters, 1)
      const { tries } = (yield* call("GET", `/sandbox/companies/sandbox/deliveries/${first}/tries`)).json
      assert.strictEqual(tries[0].status, 500)

      const another = (yield* call("POST", "/sandbox/companies", { body: { clientId: "another" } })).json.clientId
      const othersPath = `/sandbox/companies/${another}`
      assert.deepStrictEqual((yield* call("GET", `${othersPath}/dead-letters`)).json, { deadLetters: [] })
      assert.deepStrictEqual((yield* call("GET", `${othersPath}/deliveries/${first}/tries`)).json, { tries: [] })
      assert.deepStrictEqual((yield* call("POST", `${othersPath}/dead-letters/replay`)).json, { replayed: 0 })

      const replay = (body?: unknown) => call("POST", `${letters}/replay`, { body })
      assert.deepStrictEqual((yield* replay({ webhookId: second })).json, { replayed: 1 })
      assert.strictEqual(JSON.parse((yield* Queue.take(received)).body).webhookId, second)
      assert.deepStrictEqual((yield* replay()).json, { replayed: 1 })
      assert.strictEqual(JSON.parse((yield* Queue.take(received)).body).webhookId, first)
      assert.deepStrictEqual((yield* call("GET", letters)).json, { deadLetters: [] })
    }).pipe(onSandbox())
  )

  it.effect("refuse what did not come from this machine itself, what cannot be read, and other methods", () =>
    Effect.gen(function* () {
      for (const [method, path] of [
        ["GET", "/sandbox/parked-work"],
        ["POST", "/sandbox/parked-work/release"],
        ["GET", letters],
        ["POST", `${letters}/replay`],
        ["GET", "/sandbox/companies/sandbox/deliveries/1/tries"]
      ] as const) {
        const proxied = yield* call(method, path, { headers: { "x-forwarded-for": "203.0.113.9" } })
        assert.strictEqual(proxied.status, 403, path)
        const other = yield* call(method === "GET" ? "POST" : "GET", path)
        assert.deepStrictEqual([other.status, other.headers.get("allow")], [405, method], path)
      }
      for (const after of ["-1", "x", "1.5"]) {
        assert.strictEqual((yield* call("GET", `${letters}?after=${after}`)).status, 400, after)
      }
      assert.strictEqual((yield* call("GET", "/sandbox/companies/nobody/dead-letters")).status, 404)
      assert.strictEqual((yield* call("POST", "/sandbox/companies/nobody/dead-letters/replay")).status, 404)
    }).pipe(onSandbox())
  )
})
