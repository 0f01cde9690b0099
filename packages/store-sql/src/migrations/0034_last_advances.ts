/**
 * The last advance of each company's clock: where it began, and how far it came, also after a crash.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const lastAdvances = Effect.gen(function* () {
  const { integer, sql, strict } = yield* words
  // from_at, target: business time. events_after: a place in the journal.
  yield* sql`
    CREATE TABLE last_advances (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      name TEXT,
      from_at ${integer} NOT NULL,
      target ${integer} NOT NULL,
      hops ${integer} NOT NULL,
      events_after TEXT,
      CONSTRAINT "last_advances.company" PRIMARY KEY (company_id)
    ) ${strict}
  `
})
