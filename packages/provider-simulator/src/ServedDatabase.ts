/**
 * The identity of the service's database in the providers' store, the highest numbers of its requests, and the tables with rows
 * of companies.
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
  /** The recorded identity, or undefined. */
  readonly identity: Effect.Effect<string | undefined, SqlError>
  /** Records the identity unless one is recorded. */
  readonly record: (identity: string) => Effect.Effect<void, SqlError>
  /**
   * The highest numbers of a company and of a transaction in requests; 0 without requests. For cards only the last requests
   * are read, because the ledger is long. For boletos and Pix all are read: a reused transaction number would return the
   * boleto of another transaction.
   */
  readonly reached: Effect.Effect<{ readonly companyId: number; readonly transactionId: number }, SqlError>
  /** The attempts of the last requests, newest first, at most 100. */
  readonly lastAttempts: Effect.Effect<ReadonlyArray<{ readonly companyId: number; readonly id: string }>, SqlError>
  /** The number of restores of each restored company. */
  readonly restores: Effect.Effect<ReadonlyMap<number, number>, SqlError>
  readonly restoresOf: (companyId: number) => Effect.Effect<number, SqlError>
  /** Sets the number of restores of a company. */
  readonly setRestores: (companyId: number, count: number) => Effect.Effect<void, SqlError>
  /**
   * Deletes everything but the cards of the vault, because the service stores their tokens, and records the identity of
   * another database.
   */
  readonly reset: (identity: string) => Effect.Effect<void, SqlError>
}

type Numbered = { readonly highest: number | string | null }

/** Number of last requests that a start reads. */
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
    // Not cached like `restores.count`, because `reset` may follow.
    restoresOf: (companyId) =>
      Effect.map(
        sql<{ readonly restores: number | string }>`
          SELECT restores FROM company_restores WHERE company_id = ${companyId}`,
        ([row]) => Number(row?.restores ?? 0)
      ),
    setRestores: (companyId, count) => sql.withTransaction(restores.set(companyId, count)),
    reset: (identity) =>
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
 * The tables that a snapshot of a company copies and a restore replaces. Each has `company_id`. A test fails if a table is
 * missing here and in `staying`.
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
 * Tables that a restore does not change, with the reason.
 *
 * @category tables
 * @since 0.1.0
 */
export const staying: Readonly<Record<string, string>> = {
  cards: "the service stores the tokens of the vault",
  test_cards: "a test card always has the same token",
  pix_api_webhooks: "of an account's key",
  snapshot_rows: "the snapshots themselves",
  company_restores: "the number of restores itself",
  served_database: "of the database",
  simulator_migrations: "of the database"
}
