/**
 * Use case: make the next instalments of a subscription, or close it after the last one.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { NewInstalment } from "@parcela/core/subscriptions/PeriodicSubscription"
import type { MyId, SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import { Secrets } from "../authentication/Secrets.ts"
import { Commands, withoutKey } from "../commands/Command.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import { Sequences } from "../ports/Sequences.ts"
import { companyRestored, type StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import * as Decisions from "./InstalmentDecisions.ts"
import * as Spans from "../Spans.ts"

/**
 * Takes the step that is due for a subscription: see `TakenStep`.
 *
 * @category models
 * @since 0.1.0
 */
export type MakeInstalments = (
  companyId: CompanyId,
  subscriptionId: SvcPayId
) => Effect.Effect<Decisions.TakenStep, StoreError>

/**
 * What one instalment gets when it is made.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeName: Effect.Effect<Effect.Effect<NewInstalment, StoreError>, never, Secrets | Sequences> = Effect.gen(
  function* () {
    const secrets = yield* Secrets
    const sequences = yield* Sequences
    return Effect.zipWith(sequences.next("transaction"), secrets.newMyId, (id, myId) => ({ id, myId }))
  }
)

/**
 * The same for as many instalments.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNames: Effect.Effect<
  (count: number) => Effect.Effect<ReadonlyArray<NewInstalment>, StoreError>,
  never,
  Secrets | Sequences
> = Effect.map(makeName, (name) => (count: number) => Effect.forEach(Array.from({ length: count }), () => name))

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<MakeInstalments, never, Commands | Secrets | Sequences> = Effect.gen(function* () {
  const commands = yield* Commands
  const names = yield* makeNames
  const { zone } = yield* Settings

  const step = Effect.fnUntraced(function* (
    companyId: CompanyId,
    subscriptionId: SvcPayId,
    needs: { readonly ids: number; readonly myIds: ReadonlyArray<MyId> }
  ) {
    const ids = yield* names(Math.max(1, needs.ids))
    // There is one at least.
    const instalments = { firstId: ids[0]!.id, myIds: needs.myIds }
    return yield* withoutKey(
      commands.run({
        load: "instalments",
        args: { companyId, subscriptionId, instalments },
        decide: Decisions.takeStep(ids, needs.myIds, zone),
        // Due work is about what is there.
        missing: companyRestored
      })
    )
  })

  return Spans.fn("PeriodicSubscriptions.makeDue")(
    function* (companyId, subscriptionId): Effect.fn.Return<Decisions.TakenStep, RefusalsOf<typeof step> | StoreError> {
      let taken = yield* step(companyId, subscriptionId, { ids: 1, myIds: [] })
      while (taken.lacks !== undefined) taken = yield* step(companyId, subscriptionId, taken.lacks)
      return taken
    },
    // What is due was decided by the same rules: a refusal is a fault of ours.
    Effect.catchTag("BillingError", Effect.die)
  )
})
