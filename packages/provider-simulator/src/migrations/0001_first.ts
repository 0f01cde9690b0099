/**
 * The first tables of the providers' own store.
 *
 * **Details**
 *
 * Instants are milliseconds since 1970, days are text `YYYY-MM-DD`, amounts are cents. Constraints are called
 * "table.column". No table holds a card number, a CVV or anything computed from them. A company is null in rows that the
 * first version wrote into the service's database, which did not say it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const first = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  const integer = word("BIGINT", "INTEGER")
  const numbered = word("BIGINT GENERATED ALWAYS AS IDENTITY", "INTEGER")
  const increment = word("", "AUTOINCREMENT")
  const strict = word("", "STRICT")

  // asked_at: written by each charge, so that two charges of one card wait for one another.
  yield* sql`
    CREATE TABLE cards (
      token TEXT NOT NULL,
      company_id ${integer},
      scenario TEXT NOT NULL,
      mask TEXT NOT NULL,
      brand TEXT,
      expires_at TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      asked_at ${integer},
      CONSTRAINT "cards.token" PRIMARY KEY (token)
    ) ${strict}
  `
  yield* sql`
    CREATE TABLE test_cards (
      company_id ${integer} NOT NULL,
      name TEXT NOT NULL,
      token TEXT NOT NULL,
      CONSTRAINT "test_cards.name" PRIMARY KEY (company_id, name),
      CONSTRAINT "test_cards.token" UNIQUE (token)
    ) ${strict}
  `

  // What each attempt was answered, which is what it is answered when it is asked again. tid: the name of the charge that
  // it captured or gave back; null where it was denied. asked_at: written by each reversal of that charge, so that two wait for one another.
  yield* sql`
    CREATE TABLE attempts (
      kind TEXT NOT NULL,
      attempt_id TEXT NOT NULL,
      company_id ${integer},
      transaction_id ${integer} NOT NULL,
      card TEXT,
      value ${integer},
      tid TEXT,
      outcome TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      asked_at ${integer},
      CONSTRAINT "attempts.attempt_id" PRIMARY KEY (kind, attempt_id)
    ) ${strict}
  `
  yield* sql`CREATE INDEX attempts_card ON attempts (card, transaction_id)`
  yield* sql`CREATE INDEX attempts_tid ON attempts (tid)`

  yield* sql`
    CREATE TABLE boletos (
      transaction_id ${integer} NOT NULL,
      company_id ${integer},
      value ${integer} NOT NULL,
      due_date TEXT NOT NULL,
      barcode TEXT NOT NULL,
      bank_line TEXT NOT NULL,
      bank_agency TEXT NOT NULL,
      bank_account TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      canceled_at ${integer},
      CONSTRAINT "boletos.transaction_id" PRIMARY KEY (transaction_id),
      CONSTRAINT "boletos.barcode" UNIQUE (barcode)
    ) ${strict}
  `
  yield* sql`
    CREATE TABLE pix_charges (
      transaction_id ${integer} NOT NULL,
      company_id ${integer},
      txid TEXT NOT NULL,
      location TEXT NOT NULL,
      qr_code TEXT NOT NULL,
      value ${integer} NOT NULL,
      due_date TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      canceled_at ${integer},
      CONSTRAINT "pix_charges.transaction_id" PRIMARY KEY (transaction_id),
      CONSTRAINT "pix_charges.txid" UNIQUE (txid),
      CONSTRAINT "pix_charges.location" UNIQUE (location)
    ) ${strict}
  `

  // Requests as they came in, never changed. outcome is null where none was decided.
  yield* sql`
    CREATE TABLE ledger (
      id ${numbered} PRIMARY KEY ${increment},
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
    ) ${strict}
  `
  yield* sql`CREATE INDEX ledger_company ON ledger (company_id, id)`
  yield* sql`CREATE INDEX ledger_attempt ON ledger (attempt_id, id)`
  yield* sql`CREATE INDEX ledger_transaction ON ledger (transaction_id, id)`
})
