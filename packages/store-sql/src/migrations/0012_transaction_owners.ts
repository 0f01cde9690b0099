/**
 * A transaction belongs to a subscription or to a charge; attempts are kept with all that was asked and what became of
 * it; what providers call a transaction are rows that find it.
 *
 * **Details**
 *
 * SQLite cannot make a column optional, so the two tables are written anew there, each row once. States stay as they
 * are: they are read through a step of their version.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as MigrationWords from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const transactionOwners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* charges
  yield* sql.onDialectOrElse({ pg: () => altered, orElse: () => rewritten })
  yield* indexes
  yield* pastOutcomes
  yield* references
})

const words = Effect.map(MigrationWords.words, ({ word, ...others }) => {
  const text = (data: string, key: string) => word(`(${data}::jsonb ->> '${key}')`, `json_extract(${data}, '$.${key}')`)
  const number = (data: string, key: string) =>
    word(`(${data}::jsonb ->> '${key}')::bigint`, `json_extract(${data}, '$.${key}')`)
  return { ...others, word, text, number }
})

// No use case makes one yet; the table is there for the foreign key.
const charges = Effect.gen(function* () {
  const { integer, number, sql, strict } = yield* words
  yield* sql`
    CREATE TABLE charges (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      my_id TEXT NOT NULL,
      customer_id ${integer} NOT NULL,
      status TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      data TEXT NOT NULL,
      version ${integer} NOT NULL DEFAULT 1,
      state_version ${integer} NOT NULL DEFAULT 1,
      CONSTRAINT "charges.id" PRIMARY KEY (id),
      CONSTRAINT "charges.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "charges.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) ${strict}
  `
  // Not a foreign key: a state says which card, and its reader copes with one that is gone.
  yield* sql`ALTER TABLE subscriptions ADD COLUMN card_id ${integer}`
  yield* sql`
    UPDATE subscriptions SET card_id = ${number("data", "cardId")} WHERE ${number("data", "cardId")} IS NOT NULL
  `
})

/** What an old attempt asked, as the transaction `t` of the attempt `a` tells it. */
const asked = Effect.map(words, ({ number, sql, text }) => ({
  kind: sql`CASE
    WHEN ${text("t.data", "method")} <> 'creditcard' THEN 'register'
    WHEN a.settled_at IS NULL AND ${number("t.data", "reversing")} IS NOT NULL THEN 'reverse'
    WHEN a.settled_at IS NULL AND t.status = 'authorized' THEN 'capture'
    ELSE 'charge' END`,
  cardId: sql`${number("t.data", "cardId")}`,
  value: sql`CASE WHEN a.settled_at IS NULL AND ${number("t.data", "reversing")} IS NOT NULL
    THEN ${number("t.data", "reversing")} ELSE ${number("t.data", "value")} END`,
  provider: sql`CASE ${text("t.data", "method")}
    WHEN 'boleto' THEN 'boletoBank' WHEN 'pix' THEN 'pixProvider' ELSE 'cardOperator' END`
}))

const altered = Effect.gen(function* () {
  const { number, sql } = yield* words
  const { cardId, kind, provider, value } = yield* asked
  yield* sql`ALTER TABLE transactions ALTER COLUMN subscription_id DROP NOT NULL`
  yield* sql`ALTER TABLE transactions ADD COLUMN charge_id BIGINT, ADD COLUMN card_id BIGINT`
  yield* sql`
    UPDATE transactions SET card_id = ${number("data", "cardId")} WHERE ${number("data", "cardId")} IS NOT NULL
  `
  yield* sql`
    ALTER TABLE transactions
      ADD FOREIGN KEY (company_id, charge_id) REFERENCES charges (company_id, id),
      ADD CONSTRAINT "transactions.owner" CHECK ((subscription_id IS NULL) <> (charge_id IS NULL))
  `
  yield* sql`
    ALTER TABLE attempts ADD COLUMN kind TEXT, ADD COLUMN card_id BIGINT, ADD COLUMN value BIGINT,
      ADD COLUMN provider TEXT, ADD COLUMN outcome TEXT, ADD COLUMN code TEXT, ADD COLUMN message TEXT,
      ADD COLUMN merchant_advice_code TEXT, ADD COLUMN reference TEXT
  `
  yield* sql`
    UPDATE attempts SET kind = asked.kind, card_id = asked.card_id, value = asked.value, provider = asked.provider
    FROM (
      SELECT a.id, ${kind} AS kind, ${cardId} AS card_id, ${value} AS value, ${provider} AS provider
      FROM attempts a JOIN transactions t ON t.id = a.transaction_id
    ) AS asked WHERE asked.id = attempts.id
  `
  // PostgreSQL refuses to alter a table that has deferred checks to be made.
  yield* sql`SET CONSTRAINTS ALL IMMEDIATE`
  yield* sql`
    ALTER TABLE attempts ALTER COLUMN kind SET NOT NULL, ALTER COLUMN value SET NOT NULL,
      ALTER COLUMN provider SET NOT NULL
  `
})

const rewritten = Effect.gen(function* () {
  const { sql } = yield* words
  const { cardId, kind, provider, value } = yield* asked
  yield* sql`
    CREATE TABLE new_transactions (
      id INTEGER NOT NULL,
      company_id INTEGER NOT NULL,
      my_id TEXT NOT NULL,
      subscription_id INTEGER,
      charge_id INTEGER,
      customer_id INTEGER,
      card_id INTEGER,
      status TEXT NOT NULL,
      status_at INTEGER NOT NULL,
      payday TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      data TEXT NOT NULL,
      version INTEGER NOT NULL DEFAULT 1,
      state_version INTEGER NOT NULL DEFAULT 1,
      CONSTRAINT "transactions.id" PRIMARY KEY (id),
      CONSTRAINT "transactions.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "transactions.my_id" UNIQUE (company_id, my_id),
      CONSTRAINT "transactions.owner" CHECK ((subscription_id IS NULL) <> (charge_id IS NULL)),
      FOREIGN KEY (company_id, subscription_id) REFERENCES subscriptions (company_id, id),
      FOREIGN KEY (company_id, charge_id) REFERENCES charges (company_id, id)
    ) STRICT
  `
  yield* sql`
    INSERT INTO new_transactions
    SELECT id, company_id, my_id, subscription_id, NULL, customer_id, ${cardId}, status, status_at, payday, created_at,
      data, version, state_version
    FROM transactions t ORDER BY id
  `
  // Foreign keys are checked: the child is put aside before its parent is dropped.
  yield* sql`
    CREATE TABLE old_attempts AS SELECT a.id, a.company_id, a.transaction_id, a.started_at, a.claimed_until,
      a.settled_at, ${kind} AS kind, ${cardId} AS card_id, ${value} AS value, ${provider} AS provider
    FROM attempts a JOIN transactions t ON t.id = a.transaction_id
  `
  yield* sql`DROP TABLE attempts`
  yield* sql`DROP TABLE transactions`
  yield* sql`ALTER TABLE new_transactions RENAME TO transactions`
  yield* sql`
    CREATE TABLE attempts (
      id TEXT NOT NULL,
      company_id INTEGER NOT NULL,
      transaction_id INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      claimed_until INTEGER NOT NULL,
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
    ) STRICT
  `
  yield* sql`
    INSERT INTO attempts
      (id, company_id, transaction_id, started_at, claimed_until, settled_at, kind, card_id, value, provider)
    SELECT id, company_id, transaction_id, started_at, claimed_until, settled_at, kind, card_id, value, provider
    FROM old_attempts
  `
  yield* sql`DROP TABLE old_attempts`
  yield* sql`CREATE INDEX transactions_subscription ON transactions (company_id, subscription_id, id)`
  yield* sql`CREATE INDEX transactions_status ON transactions (company_id, status, id)`
  yield* sql`CREATE INDEX transactions_status_at ON transactions (company_id, status_at, id)`
  yield* sql`CREATE INDEX transactions_payday ON transactions (company_id, payday, id)`
  yield* sql`CREATE INDEX transactions_created ON transactions (company_id, created_at, id)`
  yield* sql`CREATE INDEX transactions_customer ON transactions (company_id, customer_id, id)`
})

const indexes = Effect.gen(function* () {
  const { sql } = yield* words
  yield* sql`CREATE INDEX transactions_charge ON transactions (company_id, charge_id, id) WHERE charge_id IS NOT NULL`
  yield* sql`CREATE INDEX attempts_transaction ON attempts (company_id, transaction_id, started_at, id)`
  yield* sql`CREATE INDEX attempts_card ON attempts (company_id, card_id, started_at, id) WHERE card_id IS NOT NULL`
})

/** The outcomes of attempts that have ended, as far as the journal and the transactions tell. */
const pastOutcomes = Effect.gen(function* () {
  const { sql, text } = yield* words
  yield* sql`
    UPDATE attempts SET outcome = CASE kind WHEN 'register' THEN 'registered' ELSE 'unrecorded' END
    WHERE settled_at IS NOT NULL
  `
  yield* sql`
    UPDATE attempts SET outcome = answered.outcome FROM (
      SELECT ${text("event", "attemptId")} AS id, lower(${text("event", "outcome")}) AS outcome FROM journal
      WHERE ${text("event", "_tag")} = 'OperatorAnswered'
    ) AS answered WHERE answered.id = attempts.id AND attempts.settled_at IS NOT NULL AND attempts.kind = 'charge'
  `
  // A transaction keeps the last denial, and the tid of its last outcome.
  const last = (where: string) => sql`(
    SELECT b.id FROM attempts b WHERE b.company_id = t.company_id AND b.transaction_id = t.id
      AND ${sql.literal(where)} ORDER BY b.started_at DESC, b.id DESC LIMIT 1
  )`
  const refusal = (key: string) =>
    sql.onDialectOrElse({
      pg: () => sql.literal(`(t.data::jsonb #>> '{refusal,${key}}')`),
      orElse: () => sql.literal(`json_extract(t.data, '$.refusal.${key}')`)
    })
  yield* sql`
    UPDATE attempts SET code = denied.code, message = denied.message FROM (
      SELECT ${last("b.outcome = 'denied'")} AS id, ${refusal("code")} AS code, ${refusal("message")} AS message
      FROM transactions t WHERE ${refusal("code")} IS NOT NULL
    ) AS denied WHERE denied.id = attempts.id
  `
  yield* sql`
    UPDATE attempts SET reference = named.tid FROM (
      SELECT ${last("b.outcome IN ('authorized', 'captured', 'denied')")} AS id, ${text("t.data", "tid")} AS tid
      FROM transactions t WHERE ${text("t.data", "tid")} IS NOT NULL
    ) AS named WHERE named.id = attempts.id
  `
})

const references = Effect.gen(function* () {
  const { integer, sql, strict, word } = yield* words
  // Not unique by kind and value: an outcome must be recordable whatever a provider calls it.
  yield* sql`
    CREATE TABLE external_references (
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      company_id ${integer} NOT NULL,
      transaction_id ${integer} NOT NULL,
      CONSTRAINT "external_references.value" PRIMARY KEY (kind, value, company_id, transaction_id),
      FOREIGN KEY (company_id, transaction_id) REFERENCES transactions (company_id, id)
    ) ${strict} ${word("", ", WITHOUT ROWID")}
  `
  yield* sql`CREATE INDEX external_references_transaction ON external_references (company_id, transaction_id)`
  const found = [
    ["tid", "tid"],
    ["authorizationCode", "authorizationCode"],
    ["txid", "pix.txid"],
    ["barcode", "boleto.barcode"]
  ] as const
  for (const [kind, path] of found) {
    const value = word(`(data::jsonb #>> '{${path.replace(".", ",")}}')`, `json_extract(data, '$.${path}')`)
    yield* sql`
      INSERT INTO external_references (kind, value, company_id, transaction_id)
      SELECT ${sql.literal(`'${kind}'`)}, ${value}, company_id, id FROM transactions WHERE ${value} IS NOT NULL
    `
  }
})
