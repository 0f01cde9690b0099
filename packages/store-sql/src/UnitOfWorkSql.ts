/**
 * Units of work as SQL transactions; one inside another is a savepoint.
 *
 * **Details**
 *
 * On SQLite a transaction is the only writer from its first statement on. On PostgreSQL a unit reads one snapshot
 * (`REPEATABLE READ`) and locks nothing that it does not write. A row that changed since, or that another command
 * inserted first, undoes it, and it runs again: then in `READ COMMITTED`, where a row that it finds by its identifier is
 * locked before it is read, so that it waits instead of losing once more. A row that is read twice and differs ends a
 * run too, so nothing changes under it there either.
 *
 * @since 0.1.0
 */
import { StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import { UnitOfWork } from "@parcela/engine/ports/UnitOfWork"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { failingAsItsWork } from "./internal/FailedRollback.ts"
import { ofCommit, toStoreError } from "./internal/StoreErrors.ts"
import { CurrentUnit, type OpenUnit } from "./internal/Unit.ts"

/** How often a unit is run again. */
const reruns = 5

/** Not a row in the way: the request under the same key was faster, and a rerun would refuse for another reason. */
const keySubject = "idempotency_keys.subject"

/** Whether a rerun may end otherwise; not when the last one met the same row and did not see it. */
const isWorthARerun = (error: unknown, last: unknown): error is StoreError => {
  if (!(error instanceof StoreError)) return false
  if (error.reason._tag === "Changed") return true
  return error.reason._tag === "Conflict" && error.reason.constraint !== keySubject && !isSameConflict(error, last)
}

const isSameConflict = (error: StoreError, last: unknown): boolean =>
  last instanceof StoreError &&
  error.reason._tag === "Conflict" &&
  last.reason._tag === "Conflict" &&
  error.reason.constraint === last.reason.constraint

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<UnitOfWork, never, SqlClient.SqlClient> = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeError = toStoreError("the transaction")
    const hasManyWriters = sql.onDialectOrElse({ pg: () => true, orElse: () => false })

    const inTransaction = <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      unit: OpenUnit,
      failed: (error: SqlError) => StoreError = storeError
    ) =>
      effect.pipe(
        Effect.provideService(CurrentUnit, unit),
        failingAsItsWork(sql.withTransaction),
        Effect.mapError((error) => (isSqlError(error) ? failed(error) : error))
      )

    /** A savepoint: what is undone alone was not seen either. */
    const inner = <A, E, R>(effect: Effect.Effect<A, E, R>, outer: OpenUnit) =>
      Effect.suspend(() => {
        const { blocks, isRerun, rows } = outer
        const unit: OpenUnit = { rows: new Map(rows), blocks: new Map(blocks), isRerun }
        return Effect.tap(inTransaction(effect, unit), () =>
          Effect.sync(() => {
            unit.rows.forEach((row, name) => rows.set(name, row))
            unit.blocks.forEach((block, name) => blocks.set(name, block))
          })
        )
      })

    const isolated = (isRerun: boolean) =>
      hasManyWriters
        ? Effect.provideService(
            SqlClient.BeginTransaction,
            isRerun ? "BEGIN ISOLATION LEVEL READ COMMITTED" : "BEGIN ISOLATION LEVEL REPEATABLE READ"
          )
        : identity

    const outermost = <A, E, R>(effect: Effect.Effect<A, E, R>, isRerun: boolean) =>
      Effect.suspend(() => {
        let isWritten = false
        const written = Effect.tap(effect, () =>
          Effect.sync(() => {
            isWritten = true
          })
        )
        // What fails once everything is written is the COMMIT.
        return inTransaction(written, { rows: new Map(), blocks: new Map(), isRerun }, (error) =>
          isWritten ? ofCommit(error) : storeError(error)
        )
      }).pipe(isolated(isRerun))

    const rerunning = <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      left: number,
      last?: unknown
    ): Effect.Effect<A, E | StoreError, R> =>
      Effect.catch(outermost(effect, left < reruns), (error) => {
        if (!hasManyWriters || !isWorthARerun(error, last)) return Effect.fail(error)
        return left === 0
          ? Effect.fail(new StoreError({ reason: new Unavailable({ cause: error }) }))
          : rerunning(effect, left - 1, error)
      })

    return UnitOfWork.of({
      transact: (effect) =>
        Effect.flatMap(CurrentUnit, (unit) => (unit === undefined ? rerunning(effect, reruns) : inner(effect, unit))),
      afterCommit: sql.afterCommit
    })
  })
)
