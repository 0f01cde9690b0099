/**
 * What may be changed of a subscription, and what follows from it.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import { highestBoletoValue } from "../transactions/TransactionDecider.ts"
import type { EditedTerms } from "../transactions/TransactionEdit.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { EditSubscription } from "./Subscription.ts"
import { underPlan } from "./PeriodicSubscription.ts"
import { activate, keptOf, useCard } from "./SubscriptionDecider.ts"
import { type FoundPlans, planOf, priceOf } from "../plans/PlanDecider.ts"
import type { SubscriptionState } from "./SubscriptionState.ts"

/**
 * A subscription that was edited, and which of its terms hold for its open payments.
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
  /** The card that the edit gives, as a card of the customer. */
  readonly cardId: SvcPayId | undefined
  readonly plans: FoundPlans
  readonly today: LocalDate
  readonly now: BusinessTime
}

/** Of one that was cancelled nothing is left to be changed. */
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
 * Edits a subscription; what is absent, or as it was, is no change.
 *
 * **Details**
 *
 * A plan brings its price by the payment method, unless a value is given. Days and quantity stay: they were agreed on, and
 * instalments were made by them.
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
    if (method === "boleto" && (value ?? 0) > highestBoletoValue) {
      return yield* Result.fail(refuse({ _tag: "ValueTooHigh", maximum: highestBoletoValue }))
    }
    if (method === "creditcard" && (cardId ?? state.cardId) === undefined && method !== state.mainPaymentMethodId) {
      return yield* Result.fail(refuse({ _tag: "CardMissing" }))
    }
    const carded = yield* paidBy(state, cardId, method, now, today)
    const creditCard = cardTermsOf(command.PaymentMethodCreditCard)
    const next: SubscriptionState = {
      ...underPlan(carded.next, plan),
      updatedAt: state.updatedAt,
      ...(myId === undefined ? {} : { myId }),
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      mainPaymentMethodId: method,
      ...(creditCard === undefined ? {} : { creditCard }),
      ...keptOf(command),
      ...(carded.next.schedule === undefined || value === undefined
        ? {}
        : { schedule: { ...carded.next.schedule, value } })
    }
    const terms = {
      value: value !== undefined && value !== state.schedule?.value,
      method: method !== state.mainPaymentMethodId,
      card: next.cardId !== state.cardId || creditCard !== undefined,
      cardCame: state.status === "waitingPayment" && next.cardId !== undefined
    }
    return JSON.stringify(next) === JSON.stringify(state)
      ? { next: state, events: [], terms }
      : {
          next: { ...next, updatedAt: now },
          events: [...carded.events, { _tag: "SubscriptionEdited", subscriptionId: state.id }],
          terms
        }
  })

/** With its card, and active when it waited for one and is no longer paid by card. */
const paidBy = (
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
