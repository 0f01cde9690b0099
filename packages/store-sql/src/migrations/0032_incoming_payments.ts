/**
 * Payments that banks and Pix providers reported.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { words } from "../internal/MigrationWords.ts"

/**
 * @category migrations
 * @since 0.1.0
 */
export const incomingPayments = Effect.gen(function* () {
  const { increment, integer, numbered, sql, strict } = yield* words
  // data: the report. company_id and transaction_id are null while they are not known.
  yield* sql`
    CREATE TABLE incoming_payments (
      id ${numbered} PRIMARY KEY ${increment},
      method TEXT NOT NULL,
      payment_id TEXT NOT NULL,
      reference_kind TEXT NOT NULL,
      reference_value TEXT NOT NULL,
      company_id ${integer} REFERENCES companies (id),
      transaction_id ${integer},
      standing TEXT NOT NULL,
      problem TEXT,
      received_at ${integer} NOT NULL,
      data TEXT NOT NULL,
      differing TEXT,
      CONSTRAINT "incoming_payments.payment_id" UNIQUE (method, payment_id)
    ) ${strict}
  `
  yield* sql`CREATE INDEX incoming_payments_company ON incoming_payments (company_id, id)`
  yield* sql`CREATE INDEX incoming_payments_open ON incoming_payments (standing, id) WHERE standing <> 'applied'`
})
