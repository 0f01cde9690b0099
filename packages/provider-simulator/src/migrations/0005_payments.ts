/**
 * Payments of boletos and Pix charges, and the terms that say what is to be paid.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const payments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const word = (pg: string, sqlite: string) =>
    sql.onDialectOrElse({ pg: () => sql.literal(pg), orElse: () => sql.literal(sqlite) })
  const integer = word("BIGINT", "INTEGER")
  const numbered = word("BIGINT GENERATED ALWAYS AS IDENTITY", "INTEGER")

  // terms: JSON, null in rows of before. opened_at and paid_at: business time.
  for (const table of ["boletos", "pix_charges"]) {
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN terms TEXT`
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN opened_at ${integer}`
    yield* sql`ALTER TABLE ${sql(table)} ADD COLUMN paid_at ${integer}`
  }
  // paid_at and report_at: business time. name and part: what the payer calls an order to pay, and which payment of it.
  yield* sql`
    CREATE TABLE payments (
      id ${numbered} PRIMARY KEY ${word("", "AUTOINCREMENT")},
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
    ) ${word("", "STRICT")}
  `
  yield* sql`CREATE INDEX payments_to_report ON payments (company_id, report_at, id) WHERE acknowledged_at IS NULL`
  yield* sql`CREATE INDEX payments_of ON payments (company_id, transaction_id, id)`
})
