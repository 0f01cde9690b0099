/**
 * The database that the providers work for, as their store has it recorded, and how far it had come when they were asked
 * last.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type * as Statement from "effect/sql/Statement"
import type { SqlError } from "effect/sql/SqlError"
import { companyRestoresOf } from "./StoreTransactions.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface ServedDatabase {
  /** Undefined until one is recorded. */
  readonly identity: Effect.Effect<string | undefined, SqlError>
  /** Records it where none is recorded yet. */
  readonly record: (identity: string) => Effect.Effect<void, SqlError>
  /**
   * The highest numbers of a company and of a transaction that the providers were asked about; 0 where they were not. Of payments
   * by card the last requests alone are looked at, as the ledger is long: a boleto or a Pix alone would be mistaken for another one
   * by its number.
   */
  readonly reached: Effect.Effect<{ readonly companyId: number; readonly transactionId: number }, SqlError>
  /** The attempts of the last requests, newest first; a hundred at most. */
  readonly lastAttempts: Effect.Effect<ReadonlyArray<{ readonly companyId: number; readonly id: string }>, SqlError>
  /** How often companies have been restored, of those that have been. */
  readonly restores: Effect.Effect<ReadonlyMap<number, number>, SqlError>
  readonly restoresOf: (companyId: number) => Effect.Effect<number, SqlError>
  /** How often a company has been restored from now on. */
  readonly setRestores: (companyId: number, count: number) => Effect.Effect<void, SqlError>
  /**
   * Forgets everything but the cards of the vault, as a key that it gave out means a card for good, and records another
   * database.
   */
  readonly startAnew: (identity: string) => Effect.Effect<void, SqlError>
}

type Numbered = { readonly highest: number | string | null }

/** How many of the last requests a start looks at. */
const lastRequests = 1_000

/**
 * @category constructors
 * @since 0.1.0
 */
export const of = (sql: SqlClient.SqlClient): ServedDatabase => {
  const restores = companyRestoresOf(sql)
  const record = (identity: string) => sql`
    INSERT INTO served_database (id, identity) VALUES (1, ${identity}) ON CONFLICT (id) DO NOTHING`
  const last = sql`(SELECT * FROM ledger ORDER BY id DESC LIMIT ${lastRequests}) AS last_requests`
  const highest = (column: string, from: Statement.Fragment) =>
    Effect.map(sql<Numbered>`SELECT max(${sql(column)}) AS highest FROM ${from}`, ([row]) => Number(row?.highest ?? 0))
  return {
    identity: Effect.map(
      sql<{ readonly identity: string }>`SELECT identity FROM served_database WHERE id = 1`,
      ([row]) => row?.identity
    ),
    record: (identity) => Effect.asVoid(record(identity)),
    reached: Effect.gen(function* () {
      const transactions = yield* Effect.forEach([last, sql`boletos`, sql`pix_charges`], (from) =>
        highest("transaction_id", from)
      )
      return { companyId: yield* highest("company_id", sql`ledger`), transactionId: Math.max(...transactions) }
    }),
    lastAttempts: Effect.map(
      sql<{ readonly companyId: number | string; readonly id: string }>`
        SELECT company_id AS "companyId", attempt_id AS id FROM ${last}
        WHERE attempt_id IS NOT NULL AND company_id IS NOT NULL ORDER BY last_requests.id DESC LIMIT 100`,
      (rows) => rows.map(({ companyId, id }) => ({ companyId: Number(companyId), id }))
    ),
    restores: Effect.map(
      sql<{ readonly companyId: number | string; readonly restores: number | string }>`
        SELECT company_id AS "companyId", restores FROM company_restores WHERE restores > 0`,
      (rows) => new Map(rows.map((row) => [Number(row.companyId), Number(row.restores)]))
    ),
    // Not remembered, as `restores.count` is: the providers may begin anew next, and hold companies by what is there then.
    restoresOf: (companyId) =>
      Effect.map(
        sql<{ readonly restores: number | string }>`
          SELECT restores FROM company_restores WHERE company_id = ${companyId}`,
        ([row]) => Number(row?.restores ?? 0)
      ),
    setRestores: (companyId, count) => sql.withTransaction(restores.set(companyId, count)),
    startAnew: (identity) =>
      sql.withTransaction(
        Effect.gen(function* () {
          for (const { name } of companyTables) yield* sql`DELETE FROM ${sql(name)}`
          for (const name of ["snapshot_rows", "company_restores", "served_database"])
            yield* sql`DELETE FROM ${sql(name)}`
          yield* record(identity)
        })
      )
  }
}

/**
 * Kept by a snapshot of a company and put back; each has `company_id`. A table that is missing here or in `staying` fails a
 * test.
 *
 * @category tables
 * @since 0.1.0
 */
export const companyTables: ReadonlyArray<{ readonly name: string }> = [
  { name: "attempts" },
  { name: "boletos" },
  { name: "pix_charges" },
  { name: "payments" },
  { name: "ledger" },
  { name: "faults" },
  { name: "pix_api_charges" },
  { name: "pix_api_payments" }
]

/**
 * Tables that a restore leaves alone, and why.
 *
 * @category tables
 * @since 0.1.0
 */
export const staying: Readonly<Record<string, string>> = {
  cards: "a vault forgets no card: a key that it gave out means a card for good",
  test_cards: "the same test card gets the same key",
  pix_api_webhooks: "of an account's key",
  snapshot_rows: "the snapshots themselves",
  company_restores: "how often companies were restored",
  served_database: "of the database",
  simulator_migrations: "of the database"
}
