/**
 * Planned faults, and the business time of each attempt.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const faults = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  const integer = word("BIGINT", "INTEGER")

  // What is null does not matter; times: how many requests more. from_at, until_at: business time.
  yield* sql`
    CREATE TABLE faults (
      id ${word("BIGINT GENERATED ALWAYS AS IDENTITY", "INTEGER")} PRIMARY KEY ${word("", "AUTOINCREMENT")},
      call TEXT,
      fault TEXT NOT NULL,
      company_id ${integer},
      attempt_id TEXT,
      transaction_id ${integer},
      card TEXT,
      times ${integer},
      from_at ${integer},
      until_at ${integer},
      created_at ${integer} NOT NULL
    ) ${word("", "STRICT")}
  `
  // Null for attempts of before.
  yield* sql`ALTER TABLE attempts ADD COLUMN business_at ${integer}`
})
