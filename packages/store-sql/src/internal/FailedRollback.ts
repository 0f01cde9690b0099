/**
 * A transaction whose ROLLBACK fails too.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"

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
