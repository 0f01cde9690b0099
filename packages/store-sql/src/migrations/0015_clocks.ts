/**
 * A clock for each company: how far it is ahead of the machine's.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const clocks = Effect.gen(function* () {
  const { integer, sql } = yield* words

  // Milliseconds. Companies whose clock was never advanced show the machine's time.
  yield* sql`ALTER TABLE companies ADD COLUMN clock_offset ${integer} NOT NULL DEFAULT 0 CHECK (clock_offset >= 0)`
})
