/**
 * On SQLite units count the contracts of a customer, and no trigger does: with one, SQLite keeps each page that the insert of a
 * contract changes as it was, in a file until the commit.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const contractsWithoutTriggers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => dropped(sql) })
})

const dropped = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  for (const table of ["subscriptions", "charges"]) {
    for (const name of ["started", "moved", "removed"]) yield* sql`DROP TRIGGER ${sql(`${table}_${name}`)}`
  }
})
