/**
 * Due work that gives up boletos and Pix payments whose time is over.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const paymentsThatExpire = Effect.gen(function* () {
  const { sql } = yield* words
  // When that is takes the calendar of banks: whoever takes the row up works it out, and puts it back until then.
  yield* sql`
    INSERT INTO due_work (kind, subject, company_id, due_at, waits_since, clock, tries)
    SELECT 'expire payment', CAST(id AS TEXT), company_id, 0, 0, 'machine', 0 FROM transactions
    WHERE status IN ('pendingBoleto', 'pendingPix')
  `
})
