/**
 * Attempts say when they began by their company's clock too. A provider's no is a denial everywhere, and no refusal.
 *
 * **Details**
 *
 * The journal has the business time of attempts that it still knows; the others began, as far as anybody can tell, when
 * the machine says. States of transactions stay as they are: they are read through a step of their version.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const attemptsInBusinessTime = Effect.gen(function* () {
  const { integer, sql, word } = yield* words
  yield* sql`ALTER TABLE attempts ADD COLUMN business_at ${integer}`
  yield* sql`UPDATE attempts SET business_at = started_at`
  yield* sql`
    UPDATE attempts SET business_at = sent.business_at FROM (
      SELECT ${word("event ->> 'attemptId'", "json_extract(event.value, '$.attemptId')")} AS attempt_id, journal.business_at
      FROM journal, ${word("jsonb_array_elements(events::jsonb) AS event", "json_each(journal.events) AS event")}
      WHERE ${word("event ->> '_tag'", "json_extract(event.value, '$._tag')")} = 'TransactionSent'
    ) AS sent WHERE sent.attempt_id = attempts.id
  `
  yield* sql`UPDATE attempts SET outcome = 'denied' WHERE outcome = 'refused'`
  const [before, after] = [`"_tag":"ProviderRefused"`, `"_tag":"ProviderDenied"`]
  yield* sql`UPDATE journal SET events = replace(events, ${before}, ${after}) WHERE events LIKE ${`%${before}%`}`
})
