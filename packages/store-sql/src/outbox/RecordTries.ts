/**
 * Records tries that have ended, many with one commit.
 *
 * @since 0.1.0
 */
import type { EndedTry } from "@parcela/engine/ports/Outbox"
import type { SqliteUnits } from "@parcela/sqlite/SqliteUnits"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { addTries, type Held, type Row, rowOf, settle } from "./EndedTries.ts"

/** SQLite writes one table with a statement: two of them, and a commit that is shared with what others write. */
const onSqlite = (sql: SqlClient, units: SqliteUnits["Service"], rows: ReadonlyArray<Row>) => {
  const settling = settle(sql, rows).compile()
  return units
    .run((turn) => {
      const held = turn.write(...settling)
      const numbers = JSON.stringify(held.map((row) => row["webhook_id"]))
      turn.write(...sql`${addTries(sql, rows, sql`SELECT value FROM json_each(${numbers})`)}`.compile())
      // The column that is returned, as SQLite has it.
      return held as unknown as ReadonlyArray<Held>
    })
    .pipe(Effect.mapError(({ error }) => error))
}

const onPostgres = (sql: SqlClient, rows: ReadonlyArray<Row>) => sql<Held>`
  WITH held AS (${settle(sql, rows)}),
    added AS (${addTries(sql, rows, sql`SELECT held.webhook_id FROM held`)})
  SELECT webhook_id FROM held
`

/**
 * The numbers of the deliveries whose leases held. `units` are those of SQLite.
 *
 * @category statements
 * @since 0.1.0
 */
export const record = Effect.fnUntraced(function* (
  sql: SqlClient,
  units: SqliteUnits["Service"] | undefined,
  tries: ReadonlyArray<EndedTry>
) {
  const rows = tries.map(rowOf)
  const held = yield* units === undefined ? onPostgres(sql, rows) : onSqlite(sql, units, rows)
  return new Set(held.map(({ webhook_id }) => Number(webhook_id)))
})
