/**
 * What a request or a charge gets is a response, in columns and in the journal too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const responses = Effect.gen(function* () {
  const { sql } = yield* words
  yield* sql`ALTER TABLE idempotency_keys RENAME COLUMN answer_status TO response_status`
  yield* sql`ALTER TABLE idempotency_keys RENAME COLUMN answer_body TO response_body`
  const [before, after] = [`"_tag":"OperatorAnswered"`, `"_tag":"OperatorResponded"`]
  yield* sql`UPDATE journal SET events = replace(events, ${before}, ${after}) WHERE events LIKE ${`%${before}%`}`
})
