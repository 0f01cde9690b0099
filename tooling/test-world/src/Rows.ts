/**
 * The contents of a store, read by SQL.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** All rows of a table. */
export const rows = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT * FROM ${sql(table)}`
})

/** The number of rows of a table. */
export const count = Effect.fnUntraced(function* (table: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ rows: number }>`SELECT count(*) AS "rows" FROM ${sql(table)}`
  return row!.rows
})

/** The stored state of the transaction with this `myId`. */
export const transaction = Effect.fnUntraced(function* (myId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ data: string }>`SELECT data FROM transactions WHERE my_id = ${myId}`
  return JSON.parse(row!.data) as {
    readonly status: string
    readonly authorization?: { readonly tid: string }
    readonly pendingAttempt?: { readonly attemptId: string }
    readonly registration?: {
      readonly slip?: { readonly barcode: string }
      readonly charge?: { readonly txid: string }
    }
  }
})

/** The attempts at providers, by identifier. */
export const attempts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{
    id: string
    kind: string
    settled_at: number | null
  }>`SELECT id, kind, settled_at FROM attempts ORDER BY id`
})

/** The deliveries with their payloads, by `webhookId`. */
export const deliveries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ webhook_id: number; event: string; payload: string; state: string; attempts: number }>`
    SELECT webhook_id, event, payload, state, attempts FROM deliveries JOIN delivery_payloads USING (webhook_id)
    ORDER BY webhook_id`
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as { Transaction: { status: string } } }))
})

/** The names of the journal's events, in order. */
export const journal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ events: string }>`SELECT events FROM journal ORDER BY id`
  return rows.flatMap(({ events }) => (JSON.parse(events) as ReadonlyArray<{ _tag: string }>).map(({ _tag }) => _tag))
})
