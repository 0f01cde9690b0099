import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { call, onServer } from "@parcela/test-world/Server"

describe("the controls of quarantined jobs", () => {
  it.effect("list quarantined jobs and release each once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const row = { kind: "resolve attempt", subject: "no such attempt", company_id: 1, due_at: 1, failures: 3 }
      yield* sql`INSERT INTO due_work ${sql.insert({ ...row, last_problem: "A defect", quarantined_at: 1_790_000_000_000 })}`
      const { quarantinedWork } = (yield* call("GET", "/sandbox/quarantined-work")).json
      assert.deepStrictEqual(quarantinedWork, [
        {
          kind: row.kind,
          companyId: 1,
          subject: row.subject,
          quarantinedAt: "2026-09-21T14:13:20.000Z",
          failures: 3,
          problem: "A defect"
        }
      ])
      const job = { kind: row.kind, subject: row.subject }
      const release = (body: unknown) => call("POST", "/sandbox/quarantined-work/release", { body })
      for (const unknown of [{ subject: "another" }, { kind: "send payment" }, { kind: "nonsense" }]) {
        assert.strictEqual((yield* release({ ...job, ...unknown })).status, 404, JSON.stringify(unknown))
      }
      for (const wrong of [{}, { ...job, more: 1 }, "{"]) {
        assert.strictEqual((yield* release(wrong)).status, 400, JSON.stringify(wrong))
      }
      assert.deepStrictEqual((yield* release(job)).json, { released: true })
      assert.strictEqual((yield* release(job)).status, 404)
      assert.deepStrictEqual((yield* call("GET", "/sandbox/quarantined-work")).json, { quarantinedWork: [] })
    }).pipe(onServer())
  )

  it.effect("refuse requests from other machines, and other methods", () =>
    Effect.gen(function* () {
      for (const [method, path] of [
        ["GET", "/sandbox/quarantined-work"],
        ["POST", "/sandbox/quarantined-work/release"]
      ] as const) {
        const proxied = yield* call(method, path, { headers: { "x-forwarded-for": "203.0.113.9" } })
        assert.strictEqual(proxied.status, 403, path)
        const other = yield* call(method === "GET" ? "POST" : "GET", path)
        assert.deepStrictEqual([other.status, other.headers.get("allow")], [405, method], path)
      }
    }).pipe(onServer())
  )
})
