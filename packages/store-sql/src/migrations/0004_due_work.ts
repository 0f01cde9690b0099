/**
 * One table for what is due. It takes the place of `transactions.attempt_from` and of the claims on attempts, and is
 * filled from them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const dueWork = Effect.gen(function* () {
  const { integer, sql, strict } = yield* words

  // due_at: when a worker may take it next, which is the end of a lease or of a wait. waits_since: when that lease or
  // wait began; null where due_at is a date. lease: what the result of a worker must name, another for each lease.
  yield* sql`
    CREATE TABLE due_work (
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      company_id ${integer} REFERENCES companies (id),
      due_at ${integer} NOT NULL,
      waits_since ${integer},
      lease_owner TEXT,
      lease TEXT,
      tries ${integer} NOT NULL,
      last_problem TEXT,
      parked_at ${integer},
      CONSTRAINT "due_work.subject" PRIMARY KEY (kind, subject)
    ) ${strict}
  `
  // All that a lease looks at stands in the index: it may pass over many rows of a company whose turn it is not.
  yield* sql`
    CREATE INDEX due_work_due ON due_work (kind, due_at, subject, company_id, parked_at) WHERE parked_at IS NULL
  `
  yield* sql`CREATE INDEX due_work_parked ON due_work (parked_at, kind, subject) WHERE parked_at IS NOT NULL`

  yield* sql`
    INSERT INTO due_work (kind, subject, company_id, due_at, waits_since, tries)
    SELECT 'resolve attempt', id, company_id, claimed_until, started_at, 0 FROM attempts WHERE settled_at IS NULL
  `
  // A payday began at 03:00 UTC in Sao Paulo since 2019; a row that is taken up too early waits for its day again.
  const payday = sql.onDialectOrElse({
    pg: () => sql.literal(`(EXTRACT(EPOCH FROM (attempt_from || 'T03:00:00Z')::timestamptz) * 1000)::bigint`),
    orElse: () => sql.literal(`CAST(strftime('%s', attempt_from || 'T03:00:00Z') AS INTEGER) * 1000`)
  })
  yield* sql`
    INSERT INTO due_work (kind, subject, company_id, due_at, tries)
    SELECT 'send payment', CAST(id AS TEXT), company_id, ${payday}, 0 FROM transactions
    WHERE attempt_from IS NOT NULL
  `
  yield* sql`DROP INDEX transactions_wanting_attempt`
  yield* sql`ALTER TABLE transactions DROP COLUMN attempt_from`
  yield* sql`DROP INDEX attempts_unfinished`

  // A start looks for keys whose request is under way.
  yield* sql`CREATE INDEX idempotency_keys_open ON idempotency_keys (claimed_until) WHERE answer_status IS NULL`
})
