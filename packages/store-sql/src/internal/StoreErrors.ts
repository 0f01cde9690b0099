/**
 * What the adapters fail with, in the words of the ports.
 *
 * @since 0.1.0
 */
import { Conflict, Corrupt, StoreError, Unavailable } from "@parcela/engine/StoreError"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { codeOf } from "../sqlite/SqliteErrors.ts"

/**
 * Translates a failure of an adapter over `table`: a row that is there already, a row that cannot be read, or a store
 * that cannot be used.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toStoreError =
  (table: string) =>
  (error: SqlError | Schema.SchemaError): StoreError => {
    if (error._tag === "SchemaError") return new StoreError({ reason: new Corrupt({ table, cause: error }) })
    return new StoreError({
      reason:
        error.reason._tag === "UniqueViolation"
          ? new Conflict({ constraint: constraintName(error.reason.constraint) })
          : new Unavailable({ cause: error, isTemporary: isTemporary(error) })
    })
  }

/** SQLite's codes for what is wrong with the disk or with a lock, and not with the statement. */
const ofDisk: ReadonlySet<string | undefined> = new Set(["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_LOCKED"])

const ofConnection: ReadonlySet<string> = new Set(["ConnectionError", "LockTimeoutError", "StatementTimeoutError"])

const isTemporary = (error: SqlError): boolean => ofConnection.has(error.reason._tag) || ofDisk.has(codeOf(error))

/**
 * A row that a statement had to find and did not: the engine wrote what it never read.
 *
 * @category constructors
 * @since 0.1.0
 */
export const missingRow = (table: string, id: number): Error =>
  new Error(`There is no row ${id} of ${table} in this company, so it cannot be updated`)

// SQLite names the columns ("cards.company_id, cards.my_id"), PostgreSQL the constraint, which the migrations call
// "cards.my_id": a constraint has one name on both.
const constraintName = (constraint: string): string =>
  constraint
    .split(", ")
    .filter((column) => !column.endsWith(".company_id"))
    .join(", ")
