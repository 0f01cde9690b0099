/**
 * Translates errors of the databases into the errors of the ports.
 *
 * @since 0.1.0
 */
import {
  Changed,
  CommitUnknown,
  Conflict,
  Corrupt,
  Rejected,
  StoreError,
  Unavailable
} from "@parcela/engine/ports/StoreError"
import { codeOf, commitOperation, type SqliteCode } from "@parcela/sqlite/SqliteErrors"
import { hasProperty } from "effect/Predicate"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Translates an error of a statement on `table`: an existing row, an unreadable row, a concurrent change, an outage, a COMMIT on SQLite with
 * an unknown outcome, or a rejected statement.
 *
 * @category constructors
 * @since 0.1.0
 */
export const toStoreError =
  (table: string) =>
  (error: SqlError | Schema.SchemaError | StoreError): StoreError => {
    if (error._tag === "StoreError") return error
    if (error._tag === "SchemaError") return new StoreError({ reason: new Corrupt({ table, cause: error }) })
    if (error.reason.operation === commitOperation && isLostInFlight(error)) return commitUnknown(error)
    switch (error.reason._tag) {
      case "UniqueViolation":
        return new StoreError({ reason: new Conflict({ constraint: constraintName(error.reason.constraint) }) })
      case "SerializationError":
      case "DeadlockError":
        return new StoreError({ reason: new Changed({ table, cause: error }) })
      default:
        return new StoreError({
          reason: isOutage(error) ? new Unavailable({ cause: error }) : new Rejected({ cause: error })
        })
    }
  }

/**
 * Translates an error of a COMMIT on PostgreSQL, whose errors do not name their operation. The outcome is unknown if the connection or the
 * disk failed during the COMMIT.
 *
 * @category constructors
 * @since 0.1.0
 */
export const ofCommit = (error: SqlError): StoreError =>
  isLostInFlight(error) ? commitUnknown(error) : toStoreError("COMMIT")(error)

const commitUnknown = (error: SqlError): StoreError => new StoreError({ reason: new CommitUnknown({ cause: error }) })

/** Reasons of outages: they end by themselves, or an operator ends them. */
const outageReasons: ReadonlySet<SqlError["reason"]["_tag"]> = new Set([
  "AuthorizationError",
  "ConnectionError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

const outages: ReadonlySet<SqliteCode | undefined> = new Set<SqliteCode>([
  "SQLITE_BUSY",
  "SQLITE_CANTOPEN",
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_LOCKED",
  "SQLITE_NOMEM",
  "SQLITE_PROTOCOL",
  "SQLITE_READONLY"
])

// PostgreSQL's classes of codes: 08 connection, 53 insufficient resources (disk, memory, connections), 57P shutting
// down or starting, 58030 input and output.
const outageStates = /^(?:08|53|57P|58030)/

const stateOf = ({ reason: { cause } }: SqlError): string =>
  hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

const isOutage = (error: SqlError): boolean =>
  outageReasons.has(error.reason._tag) || outages.has(codeOf(error)) || outageStates.test(stateOf(error))

const isLostInFlight = (error: SqlError): boolean =>
  codeOf(error) === undefined
    ? error.reason._tag === "ConnectionError" || error.reason._tag === "StatementTimeoutError"
    : codeOf(error) === "SQLITE_IOERR"

// SQLite names the columns ("cards.company_id, cards.my_id"). PostgreSQL names the constraint, which the schema calls
// "cards.my_id". The result is the same name on both.
const constraintName = (constraint: string): string =>
  constraint
    .split(", ")
    .filter((column) => !column.endsWith(".company_id"))
    .join(", ")
