/**
 * A transaction is found by what a provider calls an attempt of it: the attempt has that name, which had a row of its own beside it.
 * Rows from before stay.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const referencesOfAttempts = Effect.gen(function* () {
  const { sql } = yield* words
  // PostgreSQL indexes no table of which an earlier migration of the same transaction left references to be checked.
  yield* sql.onDialectOrElse({ pg: () => sql`SET CONSTRAINTS ALL IMMEDIATE`, orElse: () => Effect.void })
  // A name that is too long for an index must not keep an outcome from being recorded.
  yield* sql`CREATE INDEX attempts_reference ON attempts (reference) WHERE length(reference) <= 255`
})
