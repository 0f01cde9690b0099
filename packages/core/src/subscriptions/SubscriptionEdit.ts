/**
 * Edits of a subscription.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import { maxBoletoValue } from "../transactions/TransactionDecider.ts"
import type { EditedTerms } from "../transactions/TransactionEdit.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { EditSubscription } from "./Subscription.ts"
import { withPlan } from "./PeriodicSubscription.ts"
import { activate, contractSettingsOf, useCard } from "./SubscriptionDecider.ts"
import { type LoadedPlans, planOf, priceOf } from "../plans/PlanDecider.ts"
import type { SubscriptionState } from "./SubscriptionState.ts"

/**
 * An edited subscription, and the terms that must be applied to its open payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedSubscription extends Decision<SubscriptionState> {
  readonly terms: EditedTerms
}

/**
 * @category models
 * @since 0.1.0
 */
export interface EditContext {
  readonly sameMyId: SubscriptionState | undefined
  /** The customer's card that the edit sets. */
  readonly cardId: SvcPayId | undefined
  readonly plans: LoadedPlans
  readonly today: LocalDate
  readonly now: BusinessTime
}

/** Refuses an edit of a cancelled subscription, and schedule fields for a manual one. */
const mayBeEdited = (
  { schedule, status }: SubscriptionState,
  { planMyId, planSvcPayId, value }: EditSubscription
): Result.Result<void, RefusedBy<"ScheduleMissing" | "SubscriptionCannot">> => {
  if (status === "canceled") return Result.fail(refuse({ _tag: "SubscriptionCannot", cause: "be edited", status }))
  const isOfSchedule = value !== undefined || planMyId !== undefined || planSvcPayId !== undefined
  return isOfSchedule && schedule === undefined
    ? Result.fail(refuse({ _tag: "ScheduleMissing" }))
    : Result.succeed(undefined)
}

/**
 * Edits a subscription. Absent and equal fields are no changes.
 *
 * **Details**
 *
 * A new plan sets its price for the payment method, unless the request has a value. Due dates and quantity do not
 * change, because instalments were created from them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const edit = (
  state: SubscriptionState,
  command: EditSubscription,
  { cardId, now, plans, sameMyId, today }: EditContext
): Result.Result<EditedSubscription, RefusedBy<EditRefusal>> =>
  Result.gen(function* () {
    yield* mayBeEdited(state, command)
    const { additionalInfo, mainPaymentMethodId: method = state.mainPaymentMethodId, myId } = command
    if (sameMyId !== undefined && sameMyId.id !== state.id && myId !== undefined) {
      return yield* Result.fail(refuse({ _tag: "MyIdTaken", entity: "Subscription", myId }))
    }
    const plan = yield* planOf(command, plans)
    const price = plan === undefined ? undefined : priceOf(plan, method)
    const value = command.value ?? price ?? state.schedule?.value
    if (plan !== undefined && command.value === undefined && price === undefined) {
      return yield* Result.fail(refuse({ _tag: "PlanWithoutPrice", method }))
    }
    if (method === "boleto" && (value ?? 0) > maxBoletoValue) {
      return yield* Result.fail(refuse({ _tag: "ValueTooHigh", maximum: maxBoletoValue }))
    }
    if (method === "creditcard" && (cardId ?? state.cardId) === undefined && method !== state.mainPaymentMethodId) {
      return yield* Result.fail(refuse({ _tag: "CardMissing" }))
    }
    const withCard = yield* withPaymentBy(state, cardId, method, now, today)
    const creditCard = cardTermsOf(command.PaymentMethodCreditCard)
    const next: SubscriptionState = {
      ...withPlan(withCard.next, plan),
      updatedAt: state.updatedAt,
      ...(myId === undefined ? {} : { myId }),
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      mainPaymentMethodId: method,
      ...(creditCard === undefined ? {} : { creditCard }),
      ...contractSettingsOf(command),
      ...(withCard.next.schedule === undefined || value === undefined
        ? {}
        : { schedule: { ...withCard.next.schedule, value } })
    }
    const terms = {
      value: value !== undefined && value !== state.schedule?.value,
      method: method !== state.mainPaymentMethodId,
      card: next.cardId !== state.cardId || creditCard !== undefined,
      cardAdded: state.status === "waitingPayment" && next.cardId !== undefined
    }
    return JSON.stringify(next) === JSON.stringify(state)
      ? { next: state, events: [], terms }
      : {
          next: { ...next, updatedAt: now },
          events: [...withCard.events, { _tag: "SubscriptionEdited", subscriptionId: state.id }],
          terms
        }
  })

/** Sets the card, or activates a subscription that waited for a card and has another payment method now. */
const withPaymentBy = (
  state: SubscriptionState,
  cardId: SvcPayId | undefined,
  method: SubscriptionState["mainPaymentMethodId"],
  now: BusinessTime,
  today: LocalDate
): Decided<SubscriptionState, "SubscriptionCannot"> => {
  if (cardId !== undefined) return useCard(state, cardId, now, today)
  return state.status === "waitingPayment" && method !== "creditcard"
    ? activate(state, now, today)
    : Result.succeed({ next: state, events: [] })
}

type EditRefusal =
  | "CardMissing"
  | "MyIdTaken"
  | "PlanInactive"
  | "PlanNotFound"
  | "PlanWithoutPrice"
  | "ScheduleMissing"
  | "SubscriptionCannot"
  | "ValueTooHigh"
