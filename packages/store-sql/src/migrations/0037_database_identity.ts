/**
 * What tells a database from every other one, so that a store beside it can be known as its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const databaseIdentity = Effect.gen(function* () {
  const { sql, strict } = yield* words
  // is_shared: whether the store beside this database has recorded the identity.
  yield* sql`
    CREATE TABLE database_identity (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      identity TEXT NOT NULL,
      is_shared INTEGER NOT NULL DEFAULT 0
    ) ${strict}
  `
})
