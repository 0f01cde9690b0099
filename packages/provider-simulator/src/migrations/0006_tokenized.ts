/**
 * A card that is stored in the vault is tokenized, as the field calls it; it was "kept".
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const tokenized = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE ledger SET kind = 'tokenize', outcome = CASE outcome WHEN 'Kept' THEN 'Tokenized' ELSE outcome END,
      effect = CASE effect WHEN 'kept' THEN 'tokenized' ELSE effect END
    WHERE kind = 'keep'
  `
  yield* sql`UPDATE faults SET call = 'tokenize' WHERE call = 'keep'`
})
