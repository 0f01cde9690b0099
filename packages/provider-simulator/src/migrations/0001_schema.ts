/**
 * The tables of the simulated providers, on SQLite and PostgreSQL.
 *
 * **Details**
 *
 * Instants are milliseconds since 1970, days are text `YYYY-MM-DD`, amounts are cents, flags are 0 or 1. A constraint is
 * named "table.column". No table contains a card number, a CVV or anything computed from them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const schema = SqlClient.SqlClient.use((sql) => {
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  return Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

/** Differences between the two SQL dialects. */
interface Words {
  readonly integer: string
  /** A generated primary key. Deleted numbers are not used again. */
  readonly numbered: string
  /** Ends a table. */
  readonly strict: string
}

const sqlite: Words = { integer: "INTEGER", numbered: "INTEGER PRIMARY KEY AUTOINCREMENT", strict: "STRICT" }

const postgres: Words = {
  integer: "BIGINT",
  numbered: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  strict: ""
}

const statements = (words: Words): ReadonlyArray<string> => [
  ...cards(words),
  ...attempts(words),
  ...registrations(words),
  ...payments(words),
  ...ledger(words),
  ...pixApi(words),
  ...stores(words)
]

const cards = ({ integer, strict }: Words) => [
  `CREATE TABLE cards (
    token TEXT NOT NULL,
    company_id ${integer} NOT NULL,
    scenario TEXT NOT NULL,
    mask TEXT NOT NULL,
    brand TEXT,
    expires_at TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    CONSTRAINT "cards.token" PRIMARY KEY (token)
  ) ${strict}`,
  `CREATE TABLE test_cards (
    company_id ${integer} NOT NULL,
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    CONSTRAINT "test_cards.name" PRIMARY KEY (company_id, name),
    CONSTRAINT "test_cards.token" UNIQUE (token)
  ) ${strict}`
]

// The response to each attempt and its repetitions. tid: the charge that it captured or reversed, null
// if it was denied. is_counted: 0 if no retry limit counts the attempt.
const attempts = ({ integer, strict }: Words) => [
  `CREATE TABLE attempts (
    kind TEXT NOT NULL,
    attempt_id TEXT NOT NULL,
    company_id ${integer} NOT NULL,
    transaction_id ${integer} NOT NULL,
    card TEXT,
    value ${integer},
    tid TEXT,
    outcome TEXT NOT NULL,
    is_counted ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    business_at ${integer} NOT NULL,
    CONSTRAINT "attempts.attempt_id" PRIMARY KEY (kind, attempt_id)
  ) ${strict}`,
  `CREATE INDEX attempts_counted ON attempts (card, transaction_id) WHERE is_counted = 1`,
  `CREATE INDEX attempts_tid ON attempts (tid) WHERE tid IS NOT NULL`
]

// terms: JSON of fine, interest, discount and deadline. opened_at and paid_at: business time.
const registrations = ({ integer, strict }: Words) => [
  `CREATE TABLE boletos (
    transaction_id ${integer} NOT NULL,
    company_id ${integer} NOT NULL,
    value ${integer} NOT NULL,
    due_date TEXT NOT NULL,
    barcode TEXT NOT NULL,
    bank_line TEXT NOT NULL,
    bank_agency TEXT NOT NULL,
    bank_account TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    opened_at ${integer} NOT NULL,
    paid_at ${integer},
    canceled_at ${integer},
    CONSTRAINT "boletos.transaction_id" PRIMARY KEY (transaction_id),
    CONSTRAINT "boletos.barcode" UNIQUE (barcode)
  ) ${strict}`,
  `CREATE TABLE pix_charges (
    transaction_id ${integer} NOT NULL,
    company_id ${integer} NOT NULL,
    txid TEXT NOT NULL,
    location TEXT NOT NULL,
    qr_code TEXT NOT NULL,
    value ${integer} NOT NULL,
    due_date TEXT NOT NULL,
    terms TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    opened_at ${integer} NOT NULL,
    paid_at ${integer},
    canceled_at ${integer},
    CONSTRAINT "pix_charges.transaction_id" PRIMARY KEY (transaction_id),
    CONSTRAINT "pix_charges.txid" UNIQUE (txid),
    CONSTRAINT "pix_charges.location" UNIQUE (location)
  ) ${strict}`
]

// paid_at and report_at: business time. name and part: the payer's name for an order to pay, and which payment of it.
const payments = ({ integer, numbered, strict }: Words) => [
  `CREATE TABLE payments (
    id ${numbered},
    method TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    company_id ${integer} NOT NULL,
    transaction_id ${integer} NOT NULL,
    reference TEXT NOT NULL,
    value ${integer} NOT NULL,
    fee ${integer} NOT NULL,
    paid_at ${integer} NOT NULL,
    report_at ${integer} NOT NULL,
    acknowledged_at ${integer},
    name TEXT,
    part ${integer} NOT NULL,
    created_at ${integer} NOT NULL,
    CONSTRAINT "payments.payment_id" UNIQUE (method, payment_id),
    CONSTRAINT "payments.name" UNIQUE (company_id, name, part)
  ) ${strict}`,
  `CREATE INDEX payments_to_report ON payments (company_id, report_at, id) WHERE acknowledged_at IS NULL`,
  `CREATE INDEX payments_of ON payments (company_id, transaction_id, id)`
]

// ledger: received requests, never changed; outcome is null if the request was ignored. faults: planned failures; a column
// that is null matches every request, `times` is the number of remaining requests, from_at and until_at are business time.
const ledger = ({ integer, numbered, strict }: Words) => [
  `CREATE TABLE ledger (
    id ${numbered},
    provider TEXT NOT NULL,
    kind TEXT NOT NULL,
    attempt_id TEXT,
    company_id ${integer},
    transaction_id ${integer},
    value ${integer},
    outcome TEXT,
    code TEXT,
    reference TEXT,
    effect TEXT NOT NULL,
    is_repeat ${integer} NOT NULL,
    fault TEXT,
    at ${integer},
    received_at ${integer} NOT NULL
  ) ${strict}`,
  `CREATE INDEX ledger_company ON ledger (company_id, id, transaction_id)`,
  `CREATE INDEX ledger_attempt ON ledger (attempt_id, id)`,
  `CREATE TABLE faults (
    id ${numbered},
    call TEXT,
    fault TEXT NOT NULL,
    company_id ${integer},
    attempt_id TEXT,
    transaction_id ${integer},
    card TEXT,
    times ${integer},
    from_at ${integer},
    until_at ${integer},
    created_at ${integer} NOT NULL
  ) ${strict}`
]

// What the server of the Pix API stores. body: the charge as the receiver put it, as JSON; revision: number of its
// changes. reported_at: null until the receiver accepted the callback, which is due at report_at.
const pixApi = ({ integer, strict }: Words) => [
  `CREATE TABLE pix_api_charges (
    txid TEXT NOT NULL,
    company_id ${integer} NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    revision ${integer} NOT NULL,
    body TEXT NOT NULL,
    location TEXT NOT NULL,
    qr_code TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    CONSTRAINT "pix_api_charges.txid" PRIMARY KEY (txid),
    CONSTRAINT "pix_api_charges.location" UNIQUE (location)
  ) ${strict}`,
  `CREATE TABLE pix_api_payments (
    end_to_end_id TEXT NOT NULL,
    txid TEXT NOT NULL,
    company_id ${integer} NOT NULL,
    value ${integer} NOT NULL,
    paid_at ${integer} NOT NULL,
    report_at ${integer} NOT NULL,
    report_tries ${integer} NOT NULL,
    reported_at ${integer},
    CONSTRAINT "pix_api_payments.end_to_end_id" PRIMARY KEY (end_to_end_id),
    CONSTRAINT "pix_api_payments.txid" UNIQUE (txid)
  ) ${strict}`,
  `CREATE INDEX pix_api_payments_company ON pix_api_payments (company_id, paid_at)`,
  `CREATE TABLE pix_api_webhooks (
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    created_at ${integer} NOT NULL,
    CONSTRAINT "pix_api_webhooks.key" PRIMARY KEY (key)
  ) ${strict}`
]

// served_database: the identity of the service's database. snapshot_id: the service's number of a snapshot.
const stores = ({ integer, strict }: Words) => [
  `CREATE TABLE served_database (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    identity TEXT NOT NULL
  ) ${strict}`,
  `CREATE TABLE snapshot_rows (
    snapshot_id ${integer} NOT NULL,
    table_name TEXT NOT NULL,
    position ${integer} NOT NULL,
    row_data TEXT NOT NULL,
    CONSTRAINT "snapshot_rows.position" PRIMARY KEY (snapshot_id, table_name, position)
  ) ${strict}`,
  `CREATE TABLE company_restores (
    company_id ${integer} NOT NULL,
    restores ${integer} NOT NULL,
    CONSTRAINT "company_restores.company" PRIMARY KEY (company_id)
  ) ${strict}`
]
