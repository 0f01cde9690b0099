/**
 * Units of load, decide and write on PostgreSQL: one round trip to load, one to write, and no transaction open in
 * between.
 *
 * **Details**
 *
 * The first run loads without a lock and sends one guarded statement, which commits by itself. Reruns take turns for each
 * root, by a lock that is no row's, and first runs write when no rerun has its turn or waits for it: so that reruns lose neither to one another
 * nor to who comes anew. Every write rests on its guard, and
 * one that waited for another write finds it moved; so the numbers of the transactions that wrote below a root rise in the
 * order in which they did, which the journal goes by.
 *
 * @since 0.1.0
 */
import type { WriteSet } from "@parcela/engine/commands/WriteSet"
import { CommandStore, type Outcome, type Unit } from "@parcela/engine/ports/CommandStore"
import type { Loaded, LoadName } from "@parcela/engine/loads/Loads"
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
import { rowWrites } from "./RowWrites.ts"
import type { Row, Statement } from "./Statement.ts"
import { together } from "./WriteStatements.ts"

/** How long a unit rests before it asks again whether it was committed: the connection has to come back. */
const restAfterLoss = Duration.millis(200)

type Ended<A, R> = { readonly _tag: "Ended"; readonly result: Result.Result<Outcome<A>, R> } | Rerun

const storeError = toStoreError("a command")

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<CommandStore, never, SqlClient.SqlClient> = Layer.effect(
  CommandStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const query = ({ text, values }: Statement) => sql.unsafe<Row>(text, values)

    const load = Effect.fnUntraced(function* <N extends LoadName, A, R>(unit: Unit<N, A, R>) {
      const statement = loadOf(unit).statement(Dialect.postgres, unit.args, unit.key)
      const [row] = yield* Effect.mapError(query(statement), storeError)
      return yield* Effect.fromResult(readLoad(unit, row))
    })

    /** True when the guards held. */
    const write = (writes: WriteSet, isInTurn: boolean): Effect.Effect<boolean, SqlError> =>
      Effect.map(query(together(rowWrites(writes), writes.company, { isInTurn })), (rows) => rows.length > 0)

    /** Decides on what was loaded, and writes by a statement that commits by itself. */
    const once = Effect.fnUntraced(function* <N extends LoadName, A, R>(unit: Unit<N, A, R>, loaded: Loaded<N>) {
      const decided = unit.decide(loaded)
      if (Result.isFailure(decided) || decided.success.writes === undefined) return ended<A, R>(decided)
      // A statement that commits by itself is a COMMIT too: lost under way, it may have been done.
      const held = yield* Effect.mapError(write(decided.success.writes, false), ofCommit)
      return held ? ended<A, R>(decided) : moved
    })

    /** As `once`, in the turn of the roots, which lasts from before the load until the COMMIT. */
    const inTurn = <N extends LoadName, A, R>(unit: Unit<N, A, R>): Effect.Effect<Ended<A, R>, StoreError> => {
      let isWritten = false
      const body = Effect.gen(function* () {
        yield* query(loadOf(unit).turn(Dialect.postgres, unit.args))
        const decided = unit.decide(yield* load(unit))
        if (Result.isFailure(decided) || decided.success.writes === undefined) return ended<A, R>(decided)
        const held = yield* write(decided.success.writes, true)
        isWritten = true
        return held ? ended<A, R>(decided) : moved
      })
      return Effect.mapError(sql.withTransaction(body), (error) =>
        isSqlError(error) ? (isWritten ? ofCommit(error) : storeError(error)) : error
      )
    }

    const asRerun = Effect.catch((error: StoreError) => Effect.succeed<Rerun>({ _tag: "Failed", error }))

    const run = Effect.fnUntraced(function* <N extends LoadName, A, R>(
      unit: Unit<N, A, R>
    ): Effect.fn.Return<Outcome<A>, R | StoreError> {
      const reruns = new Reruns()
      /** Fails when the unit is not to be run again. */
      const orRerun = Effect.fnUntraced(function* (end: Rerun) {
        const error = reruns.after(end)
        if (error !== undefined) return yield* Effect.fail(error)
        if (end._tag === "Failed" && end.error.reason._tag === "CommitUnknown") yield* Effect.sleep(restAfterLoss)
      })
      if (unit.known !== undefined) {
        const end = yield* asRerun(once(unit, { key: undefined, found: unit.known }))
        if (end._tag !== "Ended") yield* orRerun(end)
        else if (isWritten(end.result)) return yield* Effect.fromResult(end.result)
      }
      for (let isRerun = false; ; isRerun = true) {
        const end: Ended<A, R> = yield* asRerun(
          isRerun ? inTurn(unit) : Effect.flatMap(load(unit), (loaded) => once(unit, loaded))
        )
        if (end._tag === "Ended") return yield* Effect.fromResult(end.result)
        yield* orRerun(end)
      }
    })

    return CommandStore.of({ run })
  })
)

const moved = { _tag: "Moved" } as const

const ended = <A, R>(result: Result.Result<Outcome<A>, R>): Ended<A, R> => ({ _tag: "Ended", result })

const isWritten = <A, R>(result: Result.Result<Outcome<A>, R>): boolean =>
  Result.isSuccess(result) && result.success.writes !== undefined
