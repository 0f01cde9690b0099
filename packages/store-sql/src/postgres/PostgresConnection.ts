/**
 * Effect's `Connection` over a connection of the driver, with errors that tell an operator what to do.
 *
 * @since 0.1.0
 */
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import type * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"

const problemOf = (error: SqlError): string => {
  const { cause, message } = error.reason
  return cause instanceof Error && cause.message !== "" ? cause.message : (message ?? "for an unknown reason")
}

// The message contains the driver's: a log shows the innermost cause.
const failed = (message: string, operation: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation }) })

/**
 * The error of a connection that could not be opened: nothing was sent. An unknown user or database is such an error too, because the
 * operator has to correct it.
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

/** The error of a connection that was lost during a statement. */
const lost =
  (server: string) =>
  (error: SqlError): SqlError =>
    error.reason._tag === "ConnectionError"
      ? failed(`The connection to PostgreSQL at ${server} was lost (${problemOf(error)})`, "query")
      : error

/** Transforms the rows of a statement. */
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
      // A transformation returns as many rows as it gets.
      return Stream.mapArray(stream, (some) => transform(some) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
    }
  }
}

/**
 * Commits on a connection. PostgreSQL returns no error for the COMMIT of a transaction with a failed statement: it rolls back, and the command
 * of the result is ROLLBACK.
 *
 * @category combinators
 * @since 0.1.0
 */
export const commit = (connection: Connection): Effect.Effect<void, SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    // `executeRaw` of this connection returns a `Result`.
    if ((result as PgConnection.Result).command !== "ROLLBACK") return Effect.void
    const message = "The transaction was rolled back, as a statement in it had failed"
    return Effect.fail(
      new SqlError({ reason: new UnknownError({ cause: new Error(message), message, operation: "commit" }) })
    )
  })

/**
 * `withTransaction` that fails with the error of its body.
 *
 * **Details**
 *
 * If the connection is lost, ROLLBACK fails too. That is a defect, which would turn the error of the body into a defect, although nothing was
 * committed and the caller can handle the error. A defect of the body and an interruption are unchanged.
 *
 * @category combinators
 * @since 0.1.0
 */
export const failingAsItsBody =
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
