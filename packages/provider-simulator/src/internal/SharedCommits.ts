/**
 * Commits of the providers' store: on SQLite, requests that arrive at the same time share one.
 *
 * **Details**
 *
 * A commit is a flush to disk, which takes as long for thirty requests as for one. Those that wait run one after another in
 * one transaction and get their responses after its commit. When one fails, nothing of the lot is kept and each runs in
 * a transaction of its own. PostgreSQL shares flushes by itself.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The most requests of one commit. */
const longestLot = 64

/** Runs work in a transaction, and returns when it is committed. */
export type Commit = <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>

/** Work that waits, as an effect of its transaction; `complete` hands its result on once that is committed. */
interface Waiting {
  readonly inLot: Effect.Effect<Effect.Effect<void>, unknown>
  readonly alone: Effect.Effect<void>
}

/** @category constructors */
export const make = (sql: SqlClient.SqlClient): Effect.Effect<Commit> =>
  sql.onDialectOrElse({
    pg: () => Effect.succeed<Commit>((work) => sql.withTransaction(work)),
    orElse: () => Effect.map(Semaphore.make(1), (turn) => shared(sql, turn))
  })

const shared = (sql: SqlClient.SqlClient, turn: Semaphore.Semaphore): Commit => {
  const waiting: Array<Waiting> = []

  const runLot = Effect.suspend(() => {
    const lot = waiting.splice(0, longestLot)
    const [first] = lot
    if (first === undefined) return Effect.void
    if (lot.length === 1) return first.alone
    return sql.withTransaction(Effect.forEach(lot, ({ inLot }) => inLot)).pipe(
      Effect.flatMap((completions) => Effect.all(completions, { discard: true })),
      Effect.catchCause(() => Effect.forEach(lot, ({ alone }) => alone, { discard: true }))
    )
  })

  return <A, E>(work: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      // The one that runs the lot is another fiber, with a clock and a tracer of its own.
      const context = yield* Effect.context<never>()
      const done = yield* Deferred.make<A, E | SqlError>()
      const own = Effect.provideContext(work, context)
      waiting.push({
        inLot: Effect.map(own, (result) => Effect.asVoid(Deferred.succeed(done, result))),
        alone: Effect.asVoid(Deferred.into(sql.withTransaction(own), done))
      })
      // Those that are ready to run come first: they may have work for the same lot.
      yield* turn.withPermits(1)(Effect.andThen(Effect.yieldNow, runLot))
      return yield* Deferred.await(done)
    })
}
