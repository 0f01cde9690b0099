import { assert, describe, it } from "@effect/vitest"
import { SqlClient } from "effect/sql"
import { Effect } from "effect"
import { byPix } from "@parcela/test-world/Samples"
import { onServer, signIn } from "@parcela/test-world/Server"

/** The origins of a company's entries, as they stand in the journal. */
const origins = Effect.fnUntraced(function* (companyId: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ subjects: string; actor: string; cause: string; request_id: string | null }>`
    SELECT subjects, actor, cause, request_id FROM journal WHERE company_id = ${companyId} ORDER BY id`
  return rows.map(({ actor, cause, request_id: requestId, subjects }) => ({
    kinds: (JSON.parse(subjects) as ReadonlyArray<{ readonly kind: string }>).map(({ kind }) => kind),
    actor: JSON.parse(actor) as unknown,
    cause: JSON.parse(cause) as unknown,
    requestId
  }))
})

describe("a journal entry of a request", () => {
  it.effect("names the client by its id, and the request by its id", () =>
    Effect.gen(function* () {
      const first = yield* signIn()
      const second = yield* signIn()
      for (const [{ call }, id] of [
        [first, "first-1"],
        [second, "second-1"]
      ] as const) {
        const headers = { "x-request-id": id }
        assert.strictEqual((yield* call("POST", "/v2/subscriptions/manual", { headers, body: byPix() })).status, 200)
      }
      for (const [{ company }, requestId] of [
        [first, "first-1"],
        [second, "second-1"]
      ] as const) {
        const actor = { _tag: "Client", clientId: company.clientId }
        const origin = { actor, cause: { _tag: "Request" }, requestId }
        assert.deepStrictEqual(yield* origins(company.companyId), [{ kinds: ["customer", "subscription"], ...origin }])
      }
    }).pipe(onServer())
  )
})
