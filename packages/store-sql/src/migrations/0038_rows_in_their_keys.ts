/**
 * SQLite keeps attempts and due work in the order of their keys (WITHOUT ROWID), and attempts have no index by card, which
 * nothing asks for: an attempt is written to two trees instead of four, due work to three instead of four.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const rowsInTheirKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP INDEX attempts_card`
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => Effect.andThen(attempts(sql), dueWork(sql)) })
})

const attempts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE TABLE new_attempts (
      id TEXT NOT NULL,
      company_id INTEGER NOT NULL,
      transaction_id INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      business_at INTEGER,
      settled_at INTEGER,
      kind TEXT NOT NULL,
      card_id INTEGER,
      value INTEGER NOT NULL,
      provider TEXT NOT NULL,
      outcome TEXT,
      code TEXT,
      message TEXT,
      merchant_advice_code TEXT,
      reference TEXT,
      CONSTRAINT "attempts.id" PRIMARY KEY (id),
      FOREIGN KEY (company_id, transaction_id) REFERENCES transactions (company_id, id) DEFERRABLE INITIALLY DEFERRED
    ) STRICT, WITHOUT ROWID
  `
  const columns = sql.literal(
    "id, company_id, transaction_id, started_at, business_at, settled_at, kind, card_id, value, provider, outcome, code, message, merchant_advice_code, reference"
  )
  yield* sql`INSERT INTO new_attempts (${columns}) SELECT ${columns} FROM attempts ORDER BY id`
  yield* sql`DROP TABLE attempts`
  yield* sql`ALTER TABLE new_attempts RENAME TO attempts`
  yield* sql`CREATE INDEX attempts_transaction ON attempts (company_id, transaction_id, started_at, id)`
})

const dueWork = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  yield* sql`
    CREATE TABLE new_due_work (
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      company_id INTEGER REFERENCES companies (id),
      clock TEXT NOT NULL DEFAULT 'machine' CHECK (clock IN ('business', 'machine')),
      due_at INTEGER NOT NULL,
      waits_since INTEGER,
      lease_owner TEXT,
      lease TEXT,
      tries INTEGER NOT NULL,
      last_problem TEXT,
      parked_at INTEGER,
      CONSTRAINT "due_work.subject" PRIMARY KEY (kind, subject)
    ) STRICT, WITHOUT ROWID
  `
  const columns = sql.literal(
    "kind, subject, company_id, clock, due_at, waits_since, lease_owner, lease, tries, last_problem, parked_at"
  )
  yield* sql`INSERT INTO new_due_work (${columns}) SELECT ${columns} FROM due_work ORDER BY kind, subject`
  yield* sql`DROP TABLE due_work`
  yield* sql`ALTER TABLE new_due_work RENAME TO due_work`
  yield* sql`CREATE INDEX due_work_due ON due_work (kind, due_at, subject, company_id, parked_at) WHERE parked_at IS NULL`
  yield* sql`CREATE INDEX due_work_parked ON due_work (parked_at, kind, subject) WHERE parked_at IS NOT NULL`
  yield* sql`CREATE INDEX due_work_company ON due_work (company_id, clock, kind, due_at, subject) WHERE parked_at IS NULL`
})
