/**
 * Rows of companies as they were, and how often each company was restored.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const snapshots = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  const integer = word("BIGINT", "INTEGER")
  const strict = word("", "STRICT")

  // snapshot_id: the service's number of it.
  yield* sql`
    CREATE TABLE snapshot_rows (
      snapshot_id ${integer} NOT NULL,
      table_name TEXT NOT NULL,
      position ${integer} NOT NULL,
      row_data TEXT NOT NULL,
      CONSTRAINT "snapshot_rows.position" PRIMARY KEY (snapshot_id, table_name, position)
    ) ${strict}
  `
  yield* sql`
    CREATE TABLE company_restores (
      company_id ${integer} NOT NULL,
      restores ${integer} NOT NULL,
      CONSTRAINT "company_restores.company" PRIMARY KEY (company_id)
    ) ${strict}
  `
})
