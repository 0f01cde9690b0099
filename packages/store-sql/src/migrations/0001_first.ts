/**
 * The first tables: one per concept.
 *
 * **Details**
 *
 * An entity is its state as JSON in `data`; the columns beside it are what it is found by, and are written with it.
 * Instants are milliseconds since 1970, days are text `YYYY-MM-DD`. Constraints are called "table.column", which is
 * how a conflict names them on every database.
 *
 * No table holds a secret: credentials and tokens are keyed hashes, cards are tokens of the operator's vault. The keys
 * in the addresses of slips and Pix codes are no secrets of ours: payers have them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const first = Effect.gen(function* () {
  const { increment, integer, numbered, sql, strict } = yield* words

  yield* sql`
    CREATE TABLE sequences (
      name TEXT NOT NULL PRIMARY KEY,
      value ${integer} NOT NULL
    ) ${strict}
  `

  yield* sql`
    CREATE TABLE companies (
      id ${numbered} PRIMARY KEY ${increment},
      data TEXT NOT NULL
    ) ${strict}
  `

  yield* sql`
    CREATE TABLE credentials (
      client_id TEXT NOT NULL PRIMARY KEY,
      secret_hash TEXT NOT NULL,
      company_id ${integer} NOT NULL REFERENCES companies (id)
    ) ${strict}
  `

  yield* sql`
    CREATE TABLE access_tokens (
      hash TEXT NOT NULL,
      company_id ${integer} NOT NULL REFERENCES companies (id),
      scopes TEXT NOT NULL,
      expires_at ${integer} NOT NULL,
      CONSTRAINT "access_tokens.hash" PRIMARY KEY (hash)
    ) ${strict}
  `
  yield* sql`CREATE INDEX access_tokens_expired ON access_tokens (expires_at)`

  // UNIQUE (company_id, id) serves lists by identifier, and lets foreign keys hold a row to its own company.
  yield* sql`
    CREATE TABLE customers (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL REFERENCES companies (id),
      my_id TEXT,
      document TEXT NOT NULL,
      data TEXT NOT NULL,
      CONSTRAINT "customers.id" PRIMARY KEY (id),
      CONSTRAINT "customers.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "customers.my_id" UNIQUE (company_id, my_id),
      CONSTRAINT "customers.document" UNIQUE (company_id, document)
    ) ${strict}
  `

  yield* sql`
    CREATE TABLE cards (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      my_id TEXT,
      customer_id ${integer} NOT NULL,
      data TEXT NOT NULL,
      CONSTRAINT "cards.id" PRIMARY KEY (id),
      CONSTRAINT "cards.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) ${strict}
  `

  yield* sql`
    CREATE TABLE subscriptions (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      my_id TEXT NOT NULL,
      customer_id ${integer} NOT NULL,
      status TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      data TEXT NOT NULL,
      CONSTRAINT "subscriptions.id" PRIMARY KEY (id),
      CONSTRAINT "subscriptions.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "subscriptions.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, customer_id) REFERENCES customers (company_id, id)
    ) ${strict}
  `
  yield* sql`CREATE INDEX subscriptions_customer ON subscriptions (company_id, customer_id, id)`
  yield* sql`CREATE INDEX subscriptions_status ON subscriptions (company_id, status, id)`
  yield* sql`CREATE INDEX subscriptions_created ON subscriptions (company_id, created_at, id)`
  yield* sql`CREATE INDEX subscriptions_updated ON subscriptions (company_id, updated_at, id)`

  // attempt_from: the first day on which the transaction wants an attempt; null when it wants none.
  yield* sql`
    CREATE TABLE transactions (
      id ${integer} NOT NULL,
      company_id ${integer} NOT NULL,
      my_id TEXT NOT NULL,
      subscription_id ${integer} NOT NULL,
      status TEXT NOT NULL,
      status_at ${integer} NOT NULL,
      payday TEXT NOT NULL,
      attempt_from TEXT,
      created_at ${integer} NOT NULL,
      data TEXT NOT NULL,
      CONSTRAINT "transactions.id" PRIMARY KEY (id),
      CONSTRAINT "transactions.id_in_company" UNIQUE (company_id, id),
      CONSTRAINT "transactions.my_id" UNIQUE (company_id, my_id),
      FOREIGN KEY (company_id, subscription_id) REFERENCES subscriptions (company_id, id)
    ) ${strict}
  `
  yield* sql`CREATE INDEX transactions_subscription ON transactions (company_id, subscription_id, id)`
  yield* sql`CREATE INDEX transactions_status ON transactions (company_id, status, id)`
  yield* sql`CREATE INDEX transactions_status_at ON transactions (company_id, status_at, id)`
  yield* sql`CREATE INDEX transactions_payday ON transactions (company_id, payday, id)`
  yield* sql`CREATE INDEX transactions_created ON transactions (company_id, created_at, id)`
  // Most transactions are over, and are not in this one.
  yield* sql`
    CREATE INDEX transactions_wanting_attempt ON transactions (attempt_from, id) WHERE attempt_from IS NOT NULL
  `

  // Deferred: a payment that is sent at once writes its attempt before itself, in the same commit.
  yield* sql`
    CREATE TABLE attempts (
      id TEXT NOT NULL,
      company_id ${integer} NOT NULL,
      transaction_id ${integer} NOT NULL,
      started_at ${integer} NOT NULL,
      claimed_until ${integer} NOT NULL,
      settled_at ${integer},
      CONSTRAINT "attempts.id" PRIMARY KEY (id),
      FOREIGN KEY (company_id, transaction_id) REFERENCES transactions (company_id, id) DEFERRABLE INITIALLY DEFERRED
    ) ${strict}
  `
  // By the end of the claim first: those that somebody is at are not looked at.
  yield* sql`CREATE INDEX attempts_unfinished ON attempts (claimed_until, started_at, id) WHERE settled_at IS NULL`

  yield* sql`
    CREATE TABLE journal (
      id ${numbered} PRIMARY KEY ${increment},
      company_id ${integer} NOT NULL REFERENCES companies (id),
      at ${integer} NOT NULL,
      event TEXT NOT NULL
    ) ${strict}
  `
  yield* sql`CREATE INDEX journal_company ON journal (company_id, id)`

  yield* sql`
    CREATE TABLE deliveries (
      webhook_id ${numbered} PRIMARY KEY ${increment},
      company_id ${integer} NOT NULL REFERENCES companies (id),
      event TEXT NOT NULL,
      transaction_id ${integer} NOT NULL,
      payload TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'given_up')),
      tries ${integer} NOT NULL,
      due_at ${integer} NOT NULL,
      claimed_until ${integer},
      last_problem TEXT,
      delivered_at ${integer},
      given_up_at ${integer}
    ) ${strict}
  `
  // By due time first: an endpoint that is down leaves many pending deliveries that are due only much later.
  yield* sql`
    CREATE INDEX deliveries_pending ON deliveries (due_at, webhook_id, claimed_until) WHERE state = 'pending'
  `

  // Nothing is forgotten yet; created_at is there for whoever does.
  yield* sql`
    CREATE TABLE idempotency_keys (
      company_id ${integer} NOT NULL REFERENCES companies (id),
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      claimed_until ${integer} NOT NULL,
      subject TEXT,
      answer_status ${integer},
      answer_body TEXT,
      created_at ${integer} NOT NULL,
      CONSTRAINT "idempotency_keys.idempotency_key" PRIMARY KEY (company_id, idempotency_key)
    ) ${strict}
  `
})
