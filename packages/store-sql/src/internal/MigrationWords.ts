/**
 * Words that migrations write differently for SQLite and PostgreSQL. Released migrations use them: what they say does not
 * change any more.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category fragments
 * @since 0.1.0
 */
export const words = Effect.map(SqlClient.SqlClient, (sql) => {
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  return {
    sql,
    word,
    // PostgreSQL's INTEGER ends at 2^31 - 1, below identifiers, cents and instants.
    integer: word("BIGINT", "INTEGER"),
    // AUTOINCREMENT, unlike a plain row id, never gives a number out again.
    numbered: word("BIGINT GENERATED ALWAYS AS IDENTITY", "INTEGER"),
    increment: word("", "AUTOINCREMENT"),
    // Without it SQLite keeps text in a column of numbers.
    strict: word("", "STRICT")
  }
})
