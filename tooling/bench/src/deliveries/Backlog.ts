/** Deliveries that wait, written beside a server that has switched their endpoint off: copies of one that it made. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"

/** Copies are of transactions that the server has none of, each of its own: they may leave side by side. */
let transactions = 1_000_000_000

const copies = (numbers: string, from: number): ReadonlyArray<string> => [
  `
    INSERT INTO deliveries
      (company_id, endpoint_id, event, transaction_id, created_at, state, tries, due_at, waits_since)
    SELECT company_id, endpoint_id, event, ${from} + i, created_at, 'pending', 0, created_at, created_at
    FROM (${numbers}) AS n CROSS JOIN (SELECT * FROM deliveries ORDER BY webhook_id LIMIT 1) AS one
  `,
  `
    INSERT INTO delivery_payloads (webhook_id, payload) SELECT copy.webhook_id, one.payload
    FROM deliveries AS copy, (SELECT payload FROM delivery_payloads ORDER BY webhook_id LIMIT 1) AS one
    WHERE copy.webhook_id > (SELECT max(webhook_id) FROM delivery_payloads)
  `
]

/** `database` is a file of SQLite, or the address of a PostgreSQL database. */
export const write = async (database: string, count: number): Promise<void> => {
  const from = transactions
  transactions += count
  if (!database.startsWith("postgres")) {
    const file = new DatabaseSync(database, { timeout: 10_000 })
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`
    file.exec(["BEGIN IMMEDIATE", ...copies(numbers, from), "COMMIT"].join(";"))
    return file.close()
  }
  await Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statements = copies(`SELECT generate_series(1::bigint, ${count}) AS i`, from)
    yield* sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement)))
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database), maxConnections: 1 })), Effect.runPromise)
}
