/**
 * Who puts a company's clock ahead, and where to: a lease, so that two never do it at once.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const clockAdvances = Effect.gen(function* () {
  const { integer, sql, word } = yield* words

  // target: business time. The rest as in due_work: due_at is the end of the lease, in machine time.
  yield* sql`
    CREATE TABLE clock_advances (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      target ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      waits_since ${integer} NOT NULL,
      lease_owner TEXT,
      lease TEXT,
      CONSTRAINT "clock_advances.company" PRIMARY KEY (company_id)
    ) ${word("", "STRICT")}
  `
})
