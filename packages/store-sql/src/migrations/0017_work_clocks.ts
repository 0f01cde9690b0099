/**
 * Due work in the time of the clock that it follows: the dates of payments are business time, and leases and waits are
 * machine time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const workClocks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE due_work ADD COLUMN clock TEXT NOT NULL DEFAULT 'machine' CHECK (clock IN ('business', 'machine'))
  `
  // A payday that nobody works on is a date; everything else is a lease or a wait. One that a worker took up too early has
  // the instant of that beside its day.
  yield* sql`
    UPDATE due_work SET clock = 'business', waits_since = NULL
    WHERE kind = 'send payment' AND company_id IS NOT NULL AND lease_owner IS NULL AND parked_at IS NULL
      AND (waits_since IS NULL OR (tries = 0 AND due_at > waits_since))
  `
  // What a company has to do, by its own clock; and which companies have one that is not the machine's.
  yield* sql`
    CREATE INDEX due_work_company ON due_work (company_id, clock, kind, due_at, subject) WHERE parked_at IS NULL
  `
  yield* sql`CREATE INDEX companies_ahead ON companies (id, clock_offset) WHERE clock_offset > 0`
})
