/**
 * A connection of the driver as Effect's `SqlClient` uses it, with failures that a person can act on.
 *
 * @since 0.1.0
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as Cause from "effect/Cause"
import type { SqlClient } from "effect/sql/SqlClient"

const problemOf = (error: SqlError): string => {
  const { cause, message } = error.reason
  return cause instanceof Error && cause.message !== "" ? cause.message : (message ?? "for an unknown reason")
}

// The message says what the driver said: a log shows the innermost cause.
const failed = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * A connection that could not be had: nothing was sent. A user or a database that the server does not know counts too,
 * since the operator has to correct it.
 *
 * @category errors
 * @since 0.1.0
 */
export const notConnected =
  (server: string) =>
  (error: SqlError): SqlError =>
    failed(
      `PostgreSQL at ${server} cannot be used: see that it runs and lets this program in (${problemOf(error)})`,
      "connect"
    )

/** A connection that ended under a statement. */
const lost =
  (server: string) =>
  (error: SqlError): SqlError =>
    error.reason._tag === "ConnectionError"
      ? failed(`The connection to PostgreSQL at ${server} was lost (${problemOf(error)})`, "query")
      : error

/** Reads the rows that a statement returned. */
type Transform = (<A extends object>(row: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = (connection: PgConnection.PgConnection, server: string): Connection => {
  const named = Effect.mapError(lost(server))
  const rows = (sql: string, parameters: ReadonlyArray<unknown>, transform: Transform, prepare: boolean) =>
    Effect.map(named(connection.query(sql, parameters, prepare)), (result) =>
      transform === undefined ? result.rows : transform(result.rows)
    )
  return {
    execute: (sql, parameters, transform) => rows(sql, parameters, transform, true),
    executeUnprepared: (sql, parameters, transform) => rows(sql, parameters, transform, false),
    executeRaw: (sql, parameters) => named(connection.query(sql, parameters)),
    executeValues: (sql, parameters) => named(connection.queryValues(sql, parameters)),
    executeValuesUnprepared: (sql, parameters) => named(connection.queryValues(sql, parameters, false)),
    executeStream(sql, parameters, transform) {
      const stream = Stream.mapError(connection.stream(sql, parameters), lost(server))
      if (transform === undefined) return stream
      // A transformation returns a row for each that it is given.
      return Stream.mapArray(stream, (some) => transform(some) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
    }
  }
}

/**
 * Commits on a connection. PostgreSQL returns no error for the COMMIT of a transaction in which a statement failed: it
 * rolls back, and says so in the command.
 *
 * @category combinators
 * @since 0.1.0
 */
export const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    // What executeRaw of this connection returns.
    if ((result as PgConnection.Result).command !== "ROLLBACK") return Effect.void
    const message = "The transaction was rolled back, as a statement in it had failed"
    return Effect.fail(
      new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "commit" }) })
    )
  })

/**
 * `withTransaction` that fails with what ended the work alone.
 *
 * **Details**
 *
 * Where the connection is gone ROLLBACK fails as well. That is a defect, and beside it the failure of the work becomes
 * one too, although nothing was committed and the caller knows how to go on. A defect of the work and an interruption
 * stay as they are.
 *
 * @category combinators
 * @since 0.1.0
 */
export const failingAsItsWork =
  (withTransaction: SqlClient["withTransaction"]): SqlClient["withTransaction"] =>
  <R, E, A>(work: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let failed: Cause.Cause<E> | undefined
      const watched = Effect.tapCause(work, (cause) =>
        Effect.sync(() => {
          failed = cause
        })
      )
      return Effect.catchCause(withTransaction(watched), (cause) =>
        Effect.failCause(failed !== undefined && Cause.hasFails(failed) ? failed : cause)
      )
    })
