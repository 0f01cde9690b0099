/**
 * Work on a SQLite database that runs without a suspension and shares its commit.
 *
 * **Details**
 *
 * A commit is a flush to disk, which takes as long for sixty units as for one. So units wait as long as each turn of the
 * event loop brings further ones, within a bound. Units that wait run one after another between one BEGIN IMMEDIATE and one
 * COMMIT, each sees what those before it wrote, and all return after the COMMIT. When one throws, nothing of the lot is kept:
 * those before it run again and share a commit without it, then it runs by itself. Units that are undone again and again share
 * their commit with fewer each time, and in the end with none. When the COMMIT fails, all have failed. Units that nobody waits for
 * take turns with the others, and share a commit with more of their kind while they are alone. A lot leaves the event loop
 * turns of its own, in which others read what was committed before it (`SqliteReads`), and further units come to it. Until
 * its COMMIT no fiber stands inside a transaction, and no other statement writes.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Semaphore from "effect/Semaphore"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Lots } from "./internal/Lots.ts"
import { SharedTransaction } from "./internal/SharedTransaction.ts"
import { turnOfTheLoop } from "./internal/TurnOfTheLoop.ts"
import type { WaitingUnit } from "./internal/WaitingUnit.ts"
import type { Prepared } from "./SqliteConnection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import type { SqliteTurn } from "./SqliteTurn.ts"
import type { StatementCache } from "./StatementCache.ts"

/** So many units of a lot that is committed end within one turn of the event loop: what each of their callers does next is done in it. */
const mostEnds = 32

/**
 * Why nothing of a unit was kept, as far as is known: a COMMIT that failed may have been done.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnitFailed extends Data.TaggedError("UnitFailed")<{
  readonly error: SqlError
  readonly isCommit: boolean
}> {}

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteUnits extends Context.Service<
  SqliteUnits,
  {
    /**
     * Runs `body` in a transaction that it shares, between the transactions of the same client, and returns after the COMMIT.
     * `body` may be run several times, each but the last without effect. An `SqlError` that it throws is the failure, anything else a defect.
     * With `isBackground` nobody waits for it, so that it may take longer where others wait.
     */
    readonly run: <A>(body: (turn: SqliteTurn) => A, isBackground?: boolean) => Effect.Effect<A, UnitFailed>
  }
>()("@parcela/sqlite/SqliteUnits") {}

/**
 * Whether nobody waits for the writes of a fiber that are statements of the client, see `SqliteUnits.run`.
 *
 * @category references
 * @since 0.1.0
 */
export const IsBackground = Context.Reference<boolean>("@parcela/sqlite/SqliteUnits/IsBackground", {
  defaultValue: () => false
})

/**
 * Units, for who has the connection that they write on.
 *
 * @category models
 * @since 0.1.0
 */
export interface UnitsOnConnection extends Context.Service.Shape<typeof SqliteUnits> {
  /** Whether units have written what is not committed. Then no fiber stands inside a transaction. */
  readonly areWriting: () => boolean
}

/**
 * Units on a connection that others have too, with the permit of `semaphore`; `isWaitedFor` says whether somebody waits for it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (
  database: SqliteDatabase,
  cache: StatementCache<Prepared>,
  semaphore: Semaphore.Semaphore,
  isWaitedFor: () => boolean = () => false
): Effect.fn.Return<UnitsOnConnection, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const transaction = new SharedTransaction(database, cache)
  const lots = new Lots(database, transaction, () => clock.currentTimeMillisUnsafe(), isWaitedFor)
  const runOne = semaphore.withPermits(1)(
    Effect.gen(function* () {
      const lot = lots.open()
      while (lots.run(lot)) yield* turnOfTheLoop
      return lots.commit(lot)
    })
  )
  // A database that is closed takes back what is not committed.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      while (lots.isOpen) yield* turnOfTheLoop
    })
  )
  let isServed = false

  const serve = Effect.gen(function* () {
    while (lots.waiting.length > 0) {
      const wait = lots.wait()
      while (wait.goesOn()) yield* turnOfTheLoop
      for (const [index, end] of (yield* runOne).entries()) {
        end()
        if (index % mostEnds === mostEnds - 1) yield* turnOfTheLoop
      }
    }
    isServed = false
  })

  return {
    areWriting: () => transaction.isOpen,
    run: <A>(body: (turn: SqliteTurn) => A, isBackground = false) =>
      Effect.callback<A, UnitFailed>((resume) => {
        const unit: WaitingUnit = {
          isBackground,
          run: (turn) => {
            const result = body(turn)
            return () => resume(Effect.succeed(result))
          },
          fail: (thrown, isCommit) => resume(failing(thrown, isCommit)),
          undone: 0
        }
        lots.waiting.add(unit)
        if (!isServed) {
          isServed = true
          Effect.runFork(serve)
        }
        return Effect.sync(() => lots.waiting.remove(unit))
      })
  }
})

const failing = (thrown: unknown, isCommit: boolean): Effect.Effect<never, UnitFailed> =>
  isSqlError(thrown) ? Effect.fail(new UnitFailed({ error: thrown, isCommit })) : Effect.die(thrown)
