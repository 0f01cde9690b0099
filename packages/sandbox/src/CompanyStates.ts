/**
 * Snapshots of a company: its rows in the service's store and in the simulated providers' store are copied, restored
 * and reset together.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import { machineNow } from "@parcela/engine/ports/WriteContext"
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
import { companyRestoresOf } from "@parcela/provider-simulator/StoreTransactions"
import { companyTables } from "@parcela/provider-simulator/ServedDatabase"
import * as SimulatorStore from "@parcela/provider-simulator/SimulatorStore"
import * as CompanyRows from "@parcela/store-sql/CompanyRows"
import * as CompanySnapshotsSql from "@parcela/store-sql/CompanySnapshotsSql"
import * as Migrations from "@parcela/store-sql/migrations/Migrations"
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
  /** True if the snapshot replaced an older one of the same name. */
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
    /** Returns false if no snapshot has the name. */
    readonly remove: (companyId: CompanyId, name: string) => Effect.Effect<boolean, StoreError | ProviderError>
    /** Restores a snapshot. Without a name the company is reset to its initial state. */
    readonly restore: (companyId: CompanyId, name: string | undefined) => Effect.Effect<void, Failure>
  }
>()("@parcela/sandbox/CompanyStates") {
  /**
   * The layer. While it is built, before the server accepts requests, it finishes interrupted restores and removes
   * leftover rows.
   */
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
  /** Failed restores that are not yet settled, by company, with the time of their request. */
  readonly unsettled: Map<CompanyId, MachineTime>
  /** Wakes the loop that settles failed restores. */
  readonly failed: Queue.Queue<void>
}

/** Interval between attempts to settle a failed restore, and the number of attempts between log lines. */
const settleEvery = "1 second"
const reportEvery = 60

/** Returns the arguments for finishing or undoing an interrupted restore. */
const ending = ({ layout, providers }: Parts, companyId: CompanyId, at: MachineTime) => ({
  at,
  layout,
  secondary: providers.putBack(companyId),
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
        Effect.logWarning(`${restore} is not finished: ${message}. The next start or restore finishes it`)
      )
    )
  }
})

/** Messages for restores with another outcome than requested. */
const unlike = {
  Undone:
    "is undone, because its snapshot was removed or belongs to another version with other rows. The company is unchanged: " +
    "restore it from a new snapshot, or reset it",
  SecondaryOnly:
    "cannot be finished, because its snapshot was removed or belongs to another version with other rows. The service has the " +
    "company's rows from before the restore, and the simulated providers have the snapshot's rows, without later " +
    "payments. Reset the company if the providers need those payments"
} as const satisfies Record<Exclude<EndedRestore, "Done">, string>

/** Removes provider rows without a snapshot, which interrupted or failed operations leave behind. */
const sweep = ({ providers, snapshots }: Parts) => snapshots.sweep(providers.sweep)

/** Errors are ignored because leftover rows are harmless and the next start removes them. */
const sweepSoon = (parts: Parts) => Effect.ignore(sweep(parts), { log: "Warn" })

const take = Effect.fn("CompanyStates.take")(function* (parts: Parts, companyId: CompanyId, name: string) {
  const { layout, providers, snapshots } = parts
  // A pending restore must end first; otherwise the two stores would be copied in different states.
  yield* finish(parts, companyId)
  const { replaced, ...taken } = yield* snapshots
    .take(companyId, name, { at: yield* machineNow, layout, secondary: (id) => providers.copy(companyId, id) })
    .pipe(Effect.tapError((error) => (error._tag === "SnapshotRefused" ? Effect.void : sweepSoon(parts))))
  if (replaced !== undefined) yield* sweepSoon(parts)
  return { ...taken, isReplacing: replaced !== undefined }
})

const remove = Effect.fn("CompanyStates.remove")(function* (parts: Parts, companyId: CompanyId, name: string) {
  // A pending restore may need this snapshot, so the restore must end first.
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
  const restoreProviders = parts.providers.putBack(companyId)
  yield* parts.snapshots
    .restore(companyId, name, { at, layout: parts.layout, secondary: restoreProviders })
    .pipe(Effect.tapError((error) => (error._tag === "SnapshotRefused" ? Effect.void : settle(parts, companyId, at))))
})

/**
 * Settles a failed restore: it reads whether the providers performed the restore, then finishes or undoes it. If
 * settling fails too, a loop repeats it while the process runs, and the next start repeats it again.
 */
const settle = Effect.fnUntraced(function* (parts: Parts, companyId: CompanyId, startedAt: MachineTime) {
  const settled = yield* Effect.exit(settleOnce(parts, companyId, startedAt))
  if (Exit.isSuccess(settled)) return
  yield* Effect.logWarning(`The restore of company ${companyId} failed and will be settled later`, settled.cause)
  // A later failed restore replaces this entry: the store records one restore of a company.
  parts.unsettled.set(companyId, startedAt)
  yield* Queue.offer(parts.failed, undefined)
})

const settleOnce = (parts: Parts, companyId: CompanyId, startedAt: MachineTime) =>
  Effect.flatMap(machineNow, (at) => parts.snapshots.settle(companyId, startedAt, ending(parts, companyId, at)))

/** Waits for a failed restore, then repeats settling until no failed restore remains. */
const settleAll = Effect.fnUntraced(function* (parts: Parts) {
  const { failed, unsettled } = parts
  // After a defect of this loop, failed restores may remain. They are settled at once.
  if (unsettled.size === 0) yield* Queue.take(failed)
  for (let attempt = 1; unsettled.size > 0; attempt++) {
    yield* Effect.sleep(settleEvery)
    for (const [companyId, startedAt] of unsettled) {
      const settled = yield* Effect.exit(settleOnce(parts, companyId, startedAt))
      // A restore that failed during the call has replaced the entry.
      if (Exit.isSuccess(settled) && unsettled.get(companyId) === startedAt) {
        unsettled.delete(companyId)
        yield* Effect.logInfo(`The restore of company ${companyId} that failed is settled`)
      }
    }
    if (unsettled.size > 0 && attempt % reportEvery === 0) {
      yield* Effect.logWarning(`Failed restores are not settled yet: companies ${[...unsettled.keys()].join(", ")}`)
    }
  }
})

const lost = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.mapError(effect, (cause) => new ProviderError({ provider: "boleto bank or Pix provider", cause }))

/** Returns the operations on a company's rows at the simulated providers. Each operation is its own transaction. */
const providerRows = (store: SimulatorStore.SimulatorStore["Service"]) => {
  const rows = CompanyRows.make(store, companyTables)
  const restores = companyRestoresOf(store)
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
    /** Returns the number of restores of a company. */
    restores: (companyId: CompanyId) => lost(restores.count(companyId)),
    /** Removes the rows of all other snapshots. */
    sweep: (existing: ReadonlySet<number>) =>
      lost(
        Effect.gen(function* () {
          for (const id of yield* rows.snapshots) if (!existing.has(id)) yield* store.withTransaction(rows.remove(id))
        })
      )
  }
}
