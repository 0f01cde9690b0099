/**
 * The whole state of a company, in the service's store and in that of the simulated providers: kept, put back, reset.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { machineNow } from "@parcela/engine/ports/Times"
import {
  type CompanySnapshot,
  CompanySnapshots,
  type EndedRestore,
  type Restored,
  type SnapshotRefused
} from "@parcela/engine/ports/CompanySnapshots"
import { supervised } from "@parcela/engine/Supervised"
import { ProviderError } from "@parcela/engine/ports/ProviderError"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as CompanyRestores from "@parcela/provider-simulator/CompanyRestores"
import { companyTables } from "@parcela/provider-simulator/CompanyTables"
import * as SimulatorStore from "@parcela/provider-simulator/SimulatorStore"
import * as CompanyRows from "@parcela/store-sql/CompanyRows"
import * as CompanySnapshotsSql from "@parcela/store-sql/CompanySnapshotsSql"
import * as Migrations from "@parcela/store-sql/Migrations"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { SqlError } from "effect/sql/SqlError"

type Failure = SnapshotRefused | StoreError | ProviderError

/**
 * @category models
 * @since 0.1.0
 */
export interface TakenSnapshot extends CompanySnapshot {
  /** Whether there was one of that name, which is gone. */
  readonly isReplacing: boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class CompanyStates extends Context.Service<
  CompanyStates,
  {
    readonly take: (companyId: CompanyId, name: string) => Effect.Effect<TakenSnapshot, Failure>
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<CompanySnapshot>, StoreError>
    /** False when there is none of that name. */
    readonly remove: (companyId: CompanyId, name: string) => Effect.Effect<boolean, StoreError | ProviderError>
    /** Without a name the company is as a new one. */
    readonly restore: (companyId: CompanyId, name: string | undefined) => Effect.Effect<void, Failure>
  }
>()("@parcela/sandbox/CompanyStates") {
  /** What a crash cut off is finished, and what it left over removed, while the layer is built: before the first request is taken. */
  static readonly layer = Layer.effect(
    CompanyStates,
    Effect.gen(function* () {
      const parts: Parts = {
        snapshots: yield* CompanySnapshots,
        providers: providerRows(yield* SimulatorStore.SimulatorStore),
        layout: `${Migrations.layout} ${SimulatorStore.layout}`,
        unsettled: new Map(),
        failed: yield* Queue.sliding<void>(1)
      }
      const { snapshots } = parts
      yield* finishAll(parts)
      yield* sweep(parts)
      yield* Effect.forkScoped(supervised("settlement of failed restores", settleAll(parts), Effect.sleep))
      return CompanyStates.of({
        take: (companyId, name) => take(parts, companyId, name),
        list: snapshots.list,
        remove: (companyId, name) => remove(parts, companyId, name),
        restore: (companyId, name) => restore(parts, companyId, name)
      })
    })
  ).pipe(Layer.provide(CompanySnapshotsSql.layerNoDeps))
}

interface Parts {
  readonly snapshots: CompanySnapshots["Service"]
  readonly providers: ReturnType<typeof providerRows>
  readonly layout: string
  /** Restores that failed and are not settled yet, by company, with the time of their request. */
  readonly unsettled: Map<CompanyId, MachineTime>
  /** Wakes the loop that settles them. */
  readonly failed: Queue.Queue<void>
}

/** How soon a restore that failed is ended, where that fails too; and after how many tries the log says so. */
const settleEvery = "1 second"
const reportEvery = 60

/** What ending a restore rests on that has not ended. */
const ending = ({ layout, providers }: Parts, companyId: CompanyId, at: MachineTime) => ({
  at,
  layout,
  beside: providers.putBack(companyId),
  isDone: ({ restores }: Restored) => Effect.map(providers.restores(companyId), (done) => done === restores)
})

const finish = (parts: Parts, companyId: CompanyId) =>
  Effect.flatMap(machineNow, (at) => parts.snapshots.finish(companyId, ending(parts, companyId, at)))

const finishAll = Effect.fnUntraced(function* (parts: Parts) {
  for (const companyId of yield* parts.snapshots.unfinished) {
    const restore = `The restore of company ${companyId} that was cut off`
    yield* finish(parts, companyId).pipe(
      Effect.flatMap((ended) =>
        ended === "Done" ? Effect.logInfo(`${restore} is finished`) : Effect.logWarning(`${restore} ${unlike[ended]}`)
      ),
      Effect.catchTag("SnapshotRefused", ({ message }) =>
        Effect.logWarning(`${restore} is not finished: ${message}. The next start or restore ends it`)
      )
    )
  }
})

/** What became of a restore instead of what was asked for. */
const unlike = {
  Undone:
    "is undone, as its snapshot is gone or was taken by another version, whose rows were others. The company is as it was: " +
    "restore it from a snapshot that is taken anew, or reset it",
  DoneBeside:
    "cannot be finished, as its snapshot is gone or was taken by another version, whose rows were others. The company has here what " +
    "it had, and its simulated providers what the snapshot had: they know nothing of payments in between. Reset the " +
    "company where that matters"
} as const satisfies Record<Exclude<EndedRestore, "Done">, string>

/** Rows that providers keep of no snapshot: those of a take that was cut off or failed, or of one that was removed here alone. */
const sweep = ({ providers, snapshots }: Parts) => snapshots.sweep(providers.sweep)

/** What is left over does no harm: the next start removes it. */
const sweepSoon = (parts: Parts) => Effect.ignore(sweep(parts), { log: "Warn" })

const take = Effect.fn("CompanyStates.take")(function* (parts: Parts, companyId: CompanyId, name: string) {
  const { layout, providers, snapshots } = parts
  // What is kept is the same here and at the providers.
  yield* finish(parts, companyId)
  const { replaced, ...taken } = yield* snapshots
    .take(companyId, name, { at: yield* machineNow, layout, beside: (id) => providers.copy(companyId, id) })
    .pipe(Effect.tapError((error) => (error._tag === "SnapshotRefused" ? Effect.void : sweepSoon(parts))))
  if (replaced !== undefined) yield* sweepSoon(parts)
  return { ...taken, isReplacing: replaced !== undefined }
})

const remove = Effect.fn("CompanyStates.remove")(function* (parts: Parts, companyId: CompanyId, name: string) {
  // It may be what a restore goes back to that has not ended.
  yield* Effect.catchTag(finish(parts, companyId), "SnapshotRefused", () => Effect.void)
  const removed = yield* parts.snapshots.remove(companyId, name)
  if (Option.isSome(removed)) yield* sweepSoon(parts)
  return Option.isSome(removed)
})

const restore = Effect.fn("CompanyStates.restore")(function* (
  parts: Parts,
  companyId: CompanyId,
  name: string | undefined
) {
  const at = yield* machineNow
  const beside = parts.providers.putBack(companyId)
  yield* parts.snapshots
    .restore(companyId, name, { at, layout: parts.layout, beside })
    .pipe(Effect.tapError((error) => (error._tag === "SnapshotRefused" ? Effect.void : settle(parts, companyId, at))))
})

/**
 * Ends a restore that failed: whether the providers have it is looked up, and it is finished or undone. Where even that
 * fails, it is tried again as long as this process lives, and at the next start.
 */
const settle = Effect.fnUntraced(function* (parts: Parts, companyId: CompanyId, begunAt: MachineTime) {
  const settled = yield* Effect.exit(settleOnce(parts, companyId, begunAt))
  if (Exit.isSuccess(settled)) return
  yield* Effect.logWarning(`The restore of company ${companyId} failed and is not ended yet`, settled.cause)
  // Of two that failed the later one counts: only its note may be there.
  parts.unsettled.set(companyId, begunAt)
  yield* Queue.offer(parts.failed, undefined)
})

const settleOnce = (parts: Parts, companyId: CompanyId, begunAt: MachineTime) =>
  Effect.flatMap(machineNow, (at) => parts.snapshots.settle(companyId, begunAt, ending(parts, companyId, at)))

/** Waits for a restore that fails, then settles all that failed until none is left. */
const settleAll = Effect.fnUntraced(function* (parts: Parts) {
  const { failed, unsettled } = parts
  // What a defect left is settled without a further failure.
  if (unsettled.size === 0) yield* Queue.take(failed)
  for (let tries = 1; unsettled.size > 0; tries++) {
    yield* Effect.sleep(settleEvery)
    for (const [companyId, begunAt] of unsettled) {
      const settled = yield* Effect.exit(settleOnce(parts, companyId, begunAt))
      // One that failed meanwhile has taken its place.
      if (Exit.isSuccess(settled) && unsettled.get(companyId) === begunAt) {
        unsettled.delete(companyId)
        yield* Effect.logInfo(`The restore of company ${companyId} that failed has been ended`)
      }
    }
    if (unsettled.size > 0 && tries % reportEvery === 0) {
      yield* Effect.logWarning(`Restores that failed are not ended yet: companies ${[...unsettled.keys()].join(", ")}`)
    }
  }
})

const lost = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.mapError(effect, (cause) => new ProviderError({ provider: "boleto bank or Pix provider", cause }))

/** What the simulated providers have of a company. Each is a commit of its own. */
const providerRows = (store: SimulatorStore.SimulatorStore["Service"]) => {
  const rows = CompanyRows.make(store, companyTables)
  const restores = CompanyRestores.of(store)
  return {
    copy: (companyId: CompanyId, id: number) => lost(store.withTransaction(rows.copy(companyId, id))),
    putBack:
      (companyId: CompanyId) =>
      ({ restores: times, snapshotId }: Restored) =>
        lost(
          store.withTransaction(
            Effect.gen(function* () {
              yield* restores.set(companyId, times)
              yield* rows.clear(companyId)
              if (snapshotId !== undefined) yield* rows.putBack(snapshotId)
            })
          )
        ),
    /** How often the company was restored. */
    restores: (companyId: CompanyId) => lost(restores.count(companyId)),
    /** Removes the rows of all other snapshots. */
    sweep: (kept: ReadonlySet<number>) =>
      lost(
        Effect.gen(function* () {
          for (const id of yield* rows.snapshots) if (!kept.has(id)) yield* store.withTransaction(rows.remove(id))
        })
      )
  }
}
