/**
 * Units of load, decide and write on PostgreSQL: one round trip to load, one to write, and no transaction open in
 * between.
 *
 * **Details**
 *
 * The first run loads without a lock and sends one guarded statement, which commits by itself; commands of this process
 * below one root run one after another (`RootLocks`). Reruns take turns for each root, by a lock that is no row's, and first runs write
 * when no rerun has its turn or waits for it: so that reruns lose neither to one another nor to who comes anew. Every write rests
 * on its guard, and one that waited for another write finds it moved; so the numbers of the transactions that wrote below a root
 * rise in the order in which they did, which the journal goes by.
 *
 * @since 0.1.0
 */
import type { WriteSet } from "@parcela/engine/command/WriteSet"
import { CommandStore, type Outcome, type Unit } from "@parcela/engine/command/CommandStore"
import type { LoadName } from "@parcela/engine/command/Loads"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { ofCommit, toStoreError } from "../internal/StoreErrors.ts"
import * as Dialect from "./Dialect.ts"
import { loadOf, readLoad } from "./Loads.ts"
import { type Rerun, Reruns } from "./Reruns.ts"
import * as RootLocks from "./RootLocks.ts"
import { rowWrites } from "./RowWrites.ts"
import type { Row, Statement } from "./Statement.ts"
import { together } from "./WriteStatements.ts"

/** How long a unit rests before it asks again whether it was committed: the connection has to come back. */
const restAfterLoss = Duration.millis(200)

/** A decision that something is to be written. */
type Writing<A, R> = Result.Success<Outcome<A> & { readonly writes: WriteSet }, R>

type Ended<A, R> = { readonly _tag: "Ended"; readonly result: Result.Result<Outcome<A>, R> } | Rerun

const storeError = toStoreError("a command")

/** What a unit does with the database; each ends with what it came to, or with why it is run again. */
const stepsOn = (sql: SqlClient.SqlClient) => {
  const query = ({ text, values }: Statement) => sql.unsafe<Row>(text, values)

  const load = Effect.fnUntraced(function* <N extends LoadName, A, R>(unit: Unit<N, A, R>) {
    const statement = loadOf(unit).statement(Dialect.postgres, unit.args, unit.key)
    const [row] = yield* Effect.mapError(query(statement), storeError)
    return yield* Effect.fromResult(readLoad(unit, row))
  })

  /** True when the guards held. */
  const write = (writes: WriteSet, isInTurn: boolean): Effect.Effect<boolean, SqlError> =>
    Effect.map(query(together(rowWrites(writes), writes.company, { isInTurn })), (rows) => rows.length > 0)

  /** Writes what was decided by a statement that commits by itself. */
  const commit = Effect.fnUntraced(function* <A, R>(decided: Writing<A, R>): Effect.fn.Return<Ended<A, R>, StoreError> {
    // A statement that commits by itself is a COMMIT too: lost under way, it may have been done.
    const held = yield* Effect.mapError(write(decided.success.writes, false), ofCommit)
    return held ? ended<A, R>(decided) : moved
  })

  const once = Effect.fnUntraced(function* <N extends LoadName, A, R>(unit: Unit<N, A, R>) {
    const decided = unit.decide(yield* load(unit))
    return isWriting(decided) ? yield* commit<A, R>(decided) : ended<A, R>(decided)
  })

  /** As `once`, in the turn of the roots, which lasts from before the load until the COMMIT. */
  const inTurn = <N extends LoadName, A, R>(unit: Unit<N, A, R>): Effect.Effect<Ended<A, R>, StoreError> => {
    let isWritten = false
    const body = Effect.gen(function* () {
      yield* query(loadOf(unit).turn(Dialect.postgres, unit.args))
      const decided = unit.decide(yield* load(unit))
      if (!isWriting(decided)) return ended<A, R>(decided)
      const held = yield* write(decided.success.writes, true)
      isWritten = true
      return held ? ended<A, R>(decided) : moved
    })
    return Effect.mapError(sql.withTransaction(body), (error) =>
      isSqlError(error) ? (isWritten ? ofCommit(error) : storeError(error)) : error
    )
  }

  return { load, commit, once, inTurn }
}

const asRerun = Effect.catch((error: StoreError) => Effect.succeed<Rerun>({ _tag: "Failed", error }))

const runOn = (sql: SqlClient.SqlClient): CommandStore["Service"]["run"] => {
  const { commit, inTurn, load, once } = stepsOn(sql)
  const withLocks = RootLocks.make()

  /** Ends what was begun by `first`; the next run is in turn. */
  const settle = Effect.fnUntraced(function* <N extends LoadName, A, R>(
    unit: Unit<N, A, R>,
    first: Effect.Effect<Ended<A, R>, StoreError>
  ): Effect.fn.Return<Outcome<A>, R | StoreError> {
    const reruns = new Reruns()
    let end = yield* asRerun(first)
    while (end._tag !== "Ended") {
      const error = reruns.after(end)
      if (error !== undefined) return yield* Effect.fail(error)
      if (end._tag === "Failed" && end.error.reason._tag === "CommitUnknown") yield* Effect.sleep(restAfterLoss)
      end = yield* asRerun(inTurn(unit))
    }
    return yield* Effect.fromResult(end.result)
  })

  return Effect.fnUntraced(function* <N extends LoadName, A, R>(
    unit: Unit<N, A, R>
  ): Effect.fn.Return<Outcome<A>, R | StoreError> {
    const decided = unit.decide(yield* load(unit))
    if (!isWriting(decided)) return yield* Effect.fromResult(decided)
    return yield* withLocks(decided.success.writes.guards, (hasWaited) =>
      settle(unit, hasWaited ? once(unit) : commit<A, R>(decided))
    )
  })
}

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, SqlClient.SqlClient> = Layer.effect(
  CommandStore,
  Effect.map(SqlClient.SqlClient, (sql) => CommandStore.of({ run: runOn(sql) }))
)

const moved = { _tag: "Moved" } as const

const ended = <A, R>(result: Result.Result<Outcome<A>, R>): Ended<A, R> => ({ _tag: "Ended", result })

const isWriting = <A, R>(decided: Result.Result<Outcome<A>, R>): decided is Writing<A, R> =>
  Result.isSuccess(decided) && decided.success.writes !== undefined
