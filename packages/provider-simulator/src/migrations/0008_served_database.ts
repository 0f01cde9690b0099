/**
 * Which database the providers work for: theirs is of no use beside another one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const servedDatabase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const strict = sql.onDialectOrElse({ pg: () => sql.literal(""), orElse: () => sql.literal("STRICT") })
  yield* sql`
    CREATE TABLE served_database (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL
    ) ${strict}
  `
})
