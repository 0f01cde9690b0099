/**
 * Errors of `node:sqlite` as `SqlError`, with a reason for programs and a message for operators.
 *
 * Effect's list of reasons is closed, so `codeOf` distinguishes further failures, such as a full disk or a damaged file. Codes:
 * https://www.sqlite.org/rescode.html
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as SqlError from "effect/sql/SqlError"

/**
 * The primary result codes of a statement.
 *
 * @category models
 * @since 0.1.0
 */
export type SqliteCode = (typeof names)[keyof typeof names]

/**
 * The primary result code of an error. Undefined if SQLite did not run: a value could not be bound, or the database is closed.
 *
 * @category destructors
 * @since 0.1.0
 */
export const codeOf = (error: SqlError.SqlError): SqliteCode | undefined => primaryCode(error.reason.cause)

/**
 * The `operation` of an error of a COMMIT, whose outcome is unknown. An error of the file check before the COMMIT has another operation.
 *
 * @category constants
 * @since 0.1.0
 */
export const commitOperation = "commit"

/**
 * The `SqlError` of a thrown value.
 *
 * **Details**
 *
 * `UniqueViolation` covers unique indexes, primary keys and row ids, as it does on PostgreSQL. `AuthorizationError`
 * covers a missing permission to write, `LockTimeoutError` a lock that another connection held for longer than the
 * busy timeout, and `ConnectionError` a database that cannot be opened or was closed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromThrown = (thrown: unknown, filename: string, operation: string): SqlError.SqlError => {
  const errcode = errcodeOf(thrown)
  const properties = { cause: thrown, message: describe(thrown, filename), operation }
  if (errcode === undefined) {
    return new SqlError.SqlError({
      reason: isClosed(thrown) ? new SqlError.ConnectionError(properties) : new SqlError.UnknownError(properties)
    })
  }
  if (uniqueCodes.has(errcode)) {
    const constraint = nativeMessage(thrown).split(uniquePrefix)[1]?.trim() || "unknown"
    return new SqlError.SqlError({ reason: new SqlError.UniqueViolation({ ...properties, constraint }) })
  }
  // Effect classifies a read-only database as UnknownError. It is a missing permission, which callers handle.
  if ((errcode & 0xff) === readonlyCode) {
    return new SqlError.SqlError({ reason: new SqlError.AuthorizationError(properties) })
  }
  // Effect's classifier reads `errno`, node:sqlite writes `errcode`.
  Object.assign(thrown as object, { errno: errcode })
  return new SqlError.SqlError({ reason: SqlError.classifySqliteError(thrown, properties) })
}

/**
 * The failure of a thrown `SqlError`, and the defect of any other thrown value.
 *
 * @category conversions
 * @since 0.1.0
 */
export const failing = (thrown: unknown): Effect.Effect<never, SqlError.SqlError> =>
  SqlError.isSqlError(thrown) ? Effect.fail(thrown) : Effect.die(thrown)

const names = {
  1: "SQLITE_ERROR",
  2: "SQLITE_INTERNAL",
  3: "SQLITE_PERM",
  4: "SQLITE_ABORT",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  9: "SQLITE_INTERRUPT",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  12: "SQLITE_NOTFOUND",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  22: "SQLITE_NOLFS",
  23: "SQLITE_AUTH",
  25: "SQLITE_RANGE",
  26: "SQLITE_NOTADB"
} as const

const readonlyCode = 8
const uniquePrefix = "UNIQUE constraint failed:"
// SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_ROWID.
const uniqueCodes: ReadonlySet<number> = new Set([1555, 2067, 2579])

const errcodeOf = (thrown: unknown): number | undefined =>
  hasProperty(thrown, "errcode") && typeof thrown.errcode === "number" ? thrown.errcode : undefined

// The low byte of an extended code is its primary code.
const primaryCode = (thrown: unknown): SqliteCode | undefined => {
  const errcode = errcodeOf(thrown)
  // The lookup of a code without a name returns undefined.
  return errcode === undefined ? undefined : names[(errcode & 0xff) as keyof typeof names]
}

const nativeMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const isClosed = (thrown: unknown): boolean => hasProperty(thrown, "code") && thrown.code === "ERR_INVALID_STATE"

const describe = (thrown: unknown, filename: string): string => {
  const native = nativeMessage(thrown)
  if (isClosed(thrown)) return `The database "${filename}" is closed (${native}).`
  switch (primaryCode(thrown)) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return `Another connection held the database "${filename}" for longer than the busy timeout (${native}).`
    case "SQLITE_READONLY":
      return `The database "${filename}" may not be written (${native}).`
    case "SQLITE_IOERR":
      return `The disk failed to read or write the database "${filename}" (${native}).`
    case "SQLITE_CORRUPT":
      return `The database "${filename}" is damaged: restore it from a backup (${native}).`
    case "SQLITE_FULL":
      return `There is no space left for the database "${filename}": free some and repeat (${native}).`
    case "SQLITE_CANTOPEN":
      return `The database "${filename}" cannot be opened (${native}).`
    case "SQLITE_NOTADB":
      return `"${filename}" is not a SQLite database: choose another file (${native}).`
    default:
      return native
  }
}
