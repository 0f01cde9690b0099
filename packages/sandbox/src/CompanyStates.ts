/**
 * The whole state of a company, in the service's store and in that of the simulated providers: kept, put back, reset.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { machineNow } from "@parcela/engine/commands/Times"
import {
  type CompanySnapshot,
  CompanySnapshots,
  type Restored,
  type SnapshotRefused
} from "@parcela/engine/ports/CompanySnapshots"
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
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"

type Failure = SnapshotRefused | StoreError | ProviderError

/**
 * @category services
 * @since 0.1.0
 */
export class CompanyStates extends Context.Service<
  CompanyStates,
  {
    readonly take: (companyId: CompanyId, name: string) => Effect.Effect<CompanySnapshot, Failure>
    readonly list: (companyId: CompanyId) => Effect.Effect<ReadonlyArray<CompanySnapshot>, StoreError>
    /** False when there is none of that name. */
    readonly remove: (companyId: CompanyId, name: string) => Effect.Effect<boolean, StoreError | ProviderError>
    /** Without a name the company is as a new one. */
    readonly restore: (companyId: CompanyId, name: string | undefined) => Effect.Effect<void, Failure>
  }
>()("@parcela/sandbox/CompanyStates") {
  /** A restore that a crash cut off is finished while the layer is built: before the first request is taken. */
  static readonly layer = Layer.effect(
    CompanyStates,
    Effect.gen(function* () {
      const snapshots = yield* CompanySnapshots
      const providers = providerRows(yield* SimulatorStore.SimulatorStore)
      const layout = `${Migrations.layout} ${SimulatorStore.layout}`

      const finish = Effect.fnUntraced(function* (companyId: CompanyId) {
        yield* snapshots.finish(companyId, { at: yield* machineNow, beside: providers.putBack(companyId) })
      })

      for (const companyId of yield* snapshots.unfinished) {
        yield* finish(companyId).pipe(
          Effect.andThen(Effect.logInfo(`The restore of company ${companyId} that was cut off is finished`)),
          Effect.catchTag("SnapshotRefused", ({ message }) =>
            Effect.logWarning(`The restore of company ${companyId} that was cut off cannot be finished: ${message}`)
          )
        )
      }

      return CompanyStates.of({
        take: Effect.fn("CompanyStates.take")(function* (companyId, name) {
          yield* finish(companyId)
          const { replaced, ...taken } = yield* snapshots.take(companyId, name, {
            at: yield* machineNow,
            layout,
            beside: (id) => providers.copy(companyId, id)
          })
          if (replaced !== undefined) yield* providers.remove(replaced)
          return taken
        }),
        list: snapshots.list,
        remove: Effect.fn("CompanyStates.remove")(function* (companyId, name) {
          const removed = yield* snapshots.remove(companyId, name)
          if (Option.isSome(removed)) yield* providers.remove(removed.value.id)
          return Option.isSome(removed)
        }),
        restore: Effect.fn("CompanyStates.restore")(function* (companyId, name) {
          yield* snapshots.restore(companyId, name, {
            at: yield* machineNow,
            layout,
            beside: providers.putBack(companyId)
          })
        })
      })
    })
  ).pipe(Layer.provide(CompanySnapshotsSql.layerNoDeps))
}

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
    remove: (id: number) => lost(store.withTransaction(rows.remove(id)))
  }
}
