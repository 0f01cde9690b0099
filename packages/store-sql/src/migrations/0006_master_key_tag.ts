/**
 * What tells whether a master key is the one that this database was made with.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const masterKeyTag = Effect.gen(function* () {
  const { sql, strict } = yield* words
  yield* sql`
    CREATE TABLE master_key_tag (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      tag TEXT NOT NULL
    ) ${strict}
  `
})
