/**
 * Use case: edit a subscription (public use, `PUT /subscriptions/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import { withinBrand } from "@parcela/core/cards/CardInstallments"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EditSubscription } from "@parcela/core/subscriptions/EditSubscription"
import type { View } from "@parcela/core/json/Picking"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import { edit } from "@parcela/core/subscriptions/SubscriptionEdit"
import { dateAt } from "@parcela/core/time/WallClock"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Commands, type KeyUse, looking, storingShown } from "../commands/Command.ts"
import { type CommandOutcome, done } from "../commands/CommandOutcome.ts"
import { KeyReused } from "../commands/KeyReused.ts"
import { subjectOf } from "../commands/KeySubject.ts"
import type { RefusalsOf } from "../commands/Refusals.ts"
import type { Times } from "../commands/Times.ts"
import { paymentsOfUnit } from "../commands/WorkInParts.ts"
import type { Decided } from "../commands/Decided.ts"
import type { SubscriptionEditContext, SubscriptionPaymentsContext } from "../loads/SubscriptionPayments.ts"
import * as Views from "../queries/Views.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { CardVaulting, tried, type VaultingFailure } from "./CardVaulting.ts"
import { editPayments } from "./EditedPayments.ts"
import { noSubscription } from "./Missing.ts"
import { own, queryOf, type RequestedCard } from "./RequestedCard.ts"
import { shownIn } from "./ShownPayment.ts"

type SubscriptionKey = KeyUse<View<Subscription>> | undefined

/**
 * @category services
 * @since 0.1.0
 */
export class SubscriptionEditing extends Context.Service<
  SubscriptionEditing,
  {
    /** Edits a subscription and its open payments; it is returned with those. */
    readonly edit: (
      companyId: CompanyId,
      ref: EntityRef,
      command: EditSubscription,
      key?: SubscriptionKey
    ) => Effect.Effect<
      CommandOutcome<View<Subscription>>,
      RefusalsOf<typeof decide | typeof noSubscription> | KeyReused | VaultingFailure
    >
  }
>()("@parcela/engine/usecases/SubscriptionEditing") {
  static readonly layer: Layer.Layer<SubscriptionEditing, never, CardVaulting | Commands> = Layer.effect(
    SubscriptionEditing,
    Effect.gen(function* () {
      const cardVaulting = yield* CardVaulting
      const commands = yield* Commands
      const settings = yield* Settings

      return SubscriptionEditing.of({
        edit: Effect.fn("SubscriptionEditing.edit")(function* (companyId, ref, command, key) {
          const missing = () => noSubscription(ref)
          const { myId, planMyId, planSvcPayId } = command
          const args = { companyId, subscription: ref, after: 0, myId, plan: { planMyId, planSvcPayId } }
          const deciding = (requested: RequestedCard | undefined) => decide(command, requested, settings.zone)
          const taken = yield* cardVaulting.take(companyId, command.PaymentMethodCreditCard?.Card, (expected) =>
            commands.run({
              load: "subscriptionEdit",
              args: { ...args, limit: 0, card: expected.query },
              key: looking(key),
              decide: tried(expected, deciding),
              missing
            })
          )
          if (taken._tag === "Resumed") return yield* new KeyReused()
          if (taken._tag === "Replayed") return taken
          const ran = yield* commands.run({
            load: "subscriptionEdit",
            args: { ...args, limit: paymentsOfUnit, card: queryOf(taken.value) },
            key: storingShown(key, (found: SubscriptionPaymentsContext) => viewOf(found, settings)),
            decide: deciding(taken.value),
            missing
          })
          // Its response is stored with it.
          if (ran._tag === "Resumed") return yield* new KeyReused()
          return ran._tag === "Replayed" ? ran : done(viewOf(ran.value, settings))
        })
      })
    })
  )
}

const viewOf = (found: SubscriptionPaymentsContext, settings: SettingsShape): View<Subscription> => {
  const { customer, payments, subscription, subscriptionCard: card } = found
  return Views.subscription({ subscription, customer, card, transactions: payments.map(shownIn(found)) }, settings)
}

const decide =
  (command: EditSubscription, requested: RequestedCard | undefined, zone: DateTime.TimeZone) =>
  (
    found: SubscriptionEditContext,
    at: Times
  ): Result.Result<
    Decided<SubscriptionPaymentsContext>,
    RefusalsOf<typeof own | typeof edit | typeof withinBrand | typeof editPayments>
  > =>
    Result.gen(function* () {
      const { cards, customer, customerGuard, guard, plans, sameMyId, subscription: before } = found
      const now = at.business
      const owner = { companyId: before.companyId, customerId: customer.id, now }
      const owned = requested === undefined ? undefined : yield* own(requested, cards, owner)
      const context = { sameMyId, cardId: owned?.card.id, plans, today: dateAt(now, zone), now }
      const edited = yield* edit(before, command, context)
      yield* withinBrand(owned?.card ?? found.subscriptionCard, edited.next.creditCard)
      const left = { ...found, subscription: edited.next, subscriptionCard: owned?.card ?? found.subscriptionCard }
      const { changes, events, payments, schedule, shown } = yield* editPayments(left, edited.terms, at, zone)
      const isChanged = edited.next !== before
      return {
        value: { ...left, payments },
        // A card that is named may be removed meanwhile.
        guards: requested === undefined ? [guard] : [guard, customerGuard],
        changes: [
          ...(owned?.changes ?? []),
          ...(isChanged ? [{ table: "subscriptions", before, next: edited.next } as const] : []),
          ...changes
        ],
        events: [...(owned?.events ?? []), ...edited.events, ...events],
        schedule,
        ...(shown === undefined ? {} : { shown }),
        subject: subjectOf("subscription", before.id)
      }
    })
