/**
 * Use case: create a manual subscription (interface section 4.1). A manual subscription has no generated transactions.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CreateManualSubscription, Subscription } from "@parcela/core/subscriptions/Subscription"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import type { View } from "@parcela/core/json/ResponseSerializer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Commands, type CommandOutcome, done } from "../command/Command.ts"
import { storingView, readSubject } from "../command/IdempotencyKey.ts"
import { type RefusalsOf } from "../command/Decided.ts"
import { Listings } from "../queries/Listings.ts"
import { Sequences } from "../ports/Sequences.ts"
import { Settings } from "../Settings.ts"
import * as Views from "../queries/Views.ts"
import type { CardVaulting, RequestedCard } from "../cards/CardVaulting.ts"
import { type CreationFailure, makeCreating, type SubscriptionKey } from "./NewSubscription.ts"
import { otherMyIdIn } from "../customers/Payer.ts"
import * as Decisions from "../payments/SubscriptionDecisions.ts"
import * as Spans from "../Spans.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class ManualSubscriptions extends Context.Service<
  ManualSubscriptions,
  {
    readonly create: (
      companyId: CompanyId,
      command: CreateManualSubscription,
      key?: SubscriptionKey
    ) => Effect.Effect<
      CommandOutcome<View<Subscription>>,
      RefusalsOf<typeof Decisions.create | Listings["Service"]["subscription"]> | CreationFailure
    >
  }
>()("@parcela/engine/subscriptions/ManualSubscriptions") {
  static readonly layer: Layer.Layer<ManualSubscriptions, never, CardVaulting | Commands | Listings | Sequences> =
    Layer.effect(
      ManualSubscriptions,
      Effect.suspend(() => make)
    )
}

const make = Effect.gen(function* () {
  const listings = yield* Listings
  const sequences = yield* Sequences
  const settings = yield* Settings
  const creating = yield* makeCreating
  const otherMyId = otherMyIdIn(settings.naming)

  const view = (created: Decisions.NewSubscription) => Views.subscription(created, settings)

  const create: ManualSubscriptions["Service"]["create"] = Spans.fn("ManualSubscriptions.create")(
    function* (companyId, command, key) {
      const { Customer: customer, myId, PaymentMethodCreditCard } = command
      const subscriptionId = yield* sequences.next("subscription")
      const customerId = yield* sequences.next("customer")
      const ran = yield* creating({
        companyId,
        card: PaymentMethodCreditCard?.Card,
        args: { companyId, myId, customer },
        key: storingView(key, view),
        decide: (requested: RequestedCard | undefined) =>
          Decisions.create(command, { companyId, subscriptionId, customerId, requested, otherMyId }),
        perform: (begin) => begin
      })
      switch (ran._tag) {
        case "Replayed":
          return ran
        case "Resumed": {
          const { id } = readSubject(ran.subject)
          return done(yield* listings.subscription(companyId, bySvcPayId(id)))
        }
        case "Done":
          return done(view(ran.value))
      }
    }
  )

  return ManualSubscriptions.of({ create })
})
