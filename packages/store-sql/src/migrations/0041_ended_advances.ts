/**
 * How the last advance of each company's clock ended: what became of the company afterwards is not the advance's.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const endedAdvances = Effect.gen(function* () {
  const { integer, sql } = yield* words
  // Business time, and a place in the journal. Of advances that ended before this they are not known.
  yield* sql`ALTER TABLE last_advances ADD COLUMN reached ${integer}`
  yield* sql`ALTER TABLE last_advances ADD COLUMN events_until TEXT`
})
