/**
 * What the simulator that serves API Pix keeps: charges by txid, payments, and where they are reported to.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const pixApi = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  const integer = word("BIGINT", "INTEGER")
  const strict = word("", "STRICT")

  // body: the charge as the receiver put it, as JSON; revision: how often it was changed since.
  yield* sql`
    CREATE TABLE pix_api_charges (
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
    ) ${strict}
  `
  // reported_at is null until the receiver took the callback, and report_at is when it is due.
  yield* sql`
    CREATE TABLE pix_api_payments (
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
    ) ${strict}
  `
  yield* sql`CREATE INDEX pix_api_payments_company ON pix_api_payments (company_id, paid_at)`
  yield* sql`
    CREATE TABLE pix_api_webhooks (
      key TEXT NOT NULL,
      url TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      CONSTRAINT "pix_api_webhooks.key" PRIMARY KEY (key)
    ) ${strict}
  `
})
