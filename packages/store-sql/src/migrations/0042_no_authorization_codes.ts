/**
 * Transactions are not found by codes of authorizations any more: nothing asked for them, and each was written to a page of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const noAuthorizationCodes = Effect.gen(function* () {
  const { sql } = yield* words
  yield* sql`DELETE FROM external_references WHERE kind = 'authorizationCode'`
})
