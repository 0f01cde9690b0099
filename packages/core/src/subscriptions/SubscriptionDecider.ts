/**
 * Commands on subscriptions: create, activate, stop, reactivate, cancel and close.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { cardTermsOf } from "../paymentMethods/CardTerms.ts"
import { refuse } from "../errors/BillingError.ts"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { CreateManualSubscription } from "./Subscription.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import {
  type SubscriptionCause,
  type SubscriptionStatus,
  subscriptionTransitions,
  type SubscriptionState
} from "./SubscriptionState.ts"
import { isUsedUp, nextStepOn, reactivatedOn } from "./SubscriptionSchedule.ts"

/**
 * Loaded entities, identifiers and times for a new subscription.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewSubscription {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly customerId: SvcPayId
  readonly cardId: SvcPayId | undefined
  readonly sameMyId: SubscriptionState | undefined
  readonly now: BusinessTime
}

/**
 * Creates a manual subscription without transactions (interface section 4.1). A card subscription without a card waits
 * for one (`waitingPayment`); any other subscription is `active`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createManual = (
  command: CreateManualSubscription,
  context: NewSubscription
): Decided<SubscriptionState, "MyIdTaken"> => createWith(command, context, {})

/**
 * Creates a subscription; `own` contains the fields of its kind.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createWith = (
  command: CreateManualSubscription,
  context: NewSubscription,
  own: Pick<SubscriptionState, "planId" | "planMyId" | "schedule">
): Decided<SubscriptionState, "MyIdTaken"> => {
  const { additionalInfo, mainPaymentMethodId, myId, PaymentMethodCreditCard } = command
  const cardTerms = cardTermsOf(PaymentMethodCreditCard)
  const { cardId, companyId, customerId, id, now, sameMyId } = context
  if (sameMyId !== undefined) return Result.fail(refuse({ _tag: "MyIdTaken", entity: "Subscription", myId }))
  const status: SubscriptionStatus = lacksCard({ mainPaymentMethodId, cardId }) ? "waitingPayment" : "active"
  return Result.succeed({
    next: {
      id,
      companyId,
      myId,
      customerId,
      status,
      mainPaymentMethodId,
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      ...(cardId === undefined ? {} : { cardId }),
      ...(cardTerms === undefined ? {} : { creditCard: cardTerms }),
      ...contractSettingsOf(command),
      payments: 0,
      ...own,
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "SubscriptionCreated", subscriptionId: id }]
  })
}

/**
 * The settings of a request that are stored unchanged.
 *
 * @category conversions
 * @since 0.1.0
 */
export const contractSettingsOf = (
  command: Pick<
    CreateManualSubscription,
    "ExtraFields" | "InvoiceConfig" | "PaymentMethodBoleto" | "PaymentMethodPix" | "Split"
  >
): Pick<SubscriptionState, "boleto" | "extraFields" | "invoiceConfig" | "pix" | "split"> => {
  const { ExtraFields, InvoiceConfig, PaymentMethodBoleto, PaymentMethodPix, Split } = command
  return {
    ...(PaymentMethodBoleto === undefined ? {} : { boleto: PaymentMethodBoleto }),
    ...(PaymentMethodPix === undefined ? {} : { pix: PaymentMethodPix }),
    ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig }),
    ...(ExtraFields === undefined ? {} : { extraFields: ExtraFields }),
    ...(Split === undefined ? {} : { split: Split })
  }
}

/**
 * Sets the card of a subscription. A subscription that waited for a card becomes active. A subscription without end
 * then skips the instalments that were due while it waited; otherwise one card would be charged for several periods at
 * once.
 *
 * @category decisions
 * @since 0.1.0
 */
export const useCard = (
  state: SubscriptionState,
  cardId: SvcPayId,
  now: BusinessTime,
  today: LocalDate
): Decided<SubscriptionState, "SubscriptionCannot"> => {
  const withCard = { ...state, cardId, updatedAt: now }
  return state.status === "waitingPayment"
    ? activate(withCard, now, today)
    : Result.succeed({ next: withCard, events: [] })
}

/**
 * Activates a subscription that waited for a card.
 *
 * @category decisions
 * @since 0.1.0
 */
export const activate = (
  state: SubscriptionState,
  now: BusinessTime,
  today: LocalDate
): Decided<SubscriptionState, "SubscriptionCannot"> => Result.map(move(state, "activate", now), reactivating(today))

/**
 * Counts an added payment.
 *
 * @category decisions
 * @since 0.1.0
 */
export const countPayment = (state: SubscriptionState, now: BusinessTime): SubscriptionState => ({
  ...state,
  payments: state.payments + 1,
  updatedAt: now
})

/**
 * Changes the status by the transition table.
 *
 * @category decisions
 * @since 0.1.0
 */
export const move = (
  state: SubscriptionState,
  cause: SubscriptionCause,
  now: BusinessTime
): Decided<SubscriptionState, "SubscriptionCannot"> => {
  const causes: { readonly [C in SubscriptionCause]?: SubscriptionStatus } = subscriptionTransitions[state.status]
  const to = causes[cause]
  return to === undefined
    ? Result.fail(refuse({ _tag: "SubscriptionCannot", cause, status: state.status }))
    : Result.succeed({
        next: { ...state, status: to, updatedAt: now },
        events: [{ _tag: "SubscriptionStatusChanged", subscriptionId: state.id, from: state.status, to }]
      })
}

/**
 * Cancels a subscription. `paymentsToCancel` of `TransactionEndings` selects the transactions to cancel.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (
  state: SubscriptionState,
  now: BusinessTime
): Decided<SubscriptionState, "SubscriptionCannot" | "SubscriptionOver"> =>
  state.status === "canceled" || state.status === "closed"
    ? Result.fail(refuse({ _tag: "SubscriptionOver", status: state.status }))
    : move(state, "cancel", now)

/**
 * Closes a subscription whose instalments have all been created. Open instalments can still be paid.
 *
 * @category decisions
 * @since 0.1.0
 */
export const close = (state: SubscriptionState, now: BusinessTime): Decided<SubscriptionState, CloseRefusal> =>
  Result.flatMap(move(state, "close", now), (closed) => {
    const { payments, schedule } = state
    if (schedule !== undefined && isUsedUp(schedule)) return Result.succeed(closed)
    const quantity = schedule?.quantity
    return Result.fail(refuse({ _tag: "QuantityLeft", payments, ...(quantity === undefined ? {} : { quantity }) }))
  })

/**
 * @category models
 * @since 0.1.0
 */
export type CloseRefusal = "QuantityLeft" | "SubscriptionCannot"

/** The decision for a repeated command: nothing changes. */
const unchanged = (state: SubscriptionState): Decided<SubscriptionState, never> =>
  Result.succeed({ next: state, events: [] })

/**
 * Stops a subscription: nothing is sent or added until it is reactivated.
 *
 * @category decisions
 * @since 0.1.0
 */
export const stop = (state: SubscriptionState, now: BusinessTime): Decided<SubscriptionState, "SubscriptionCannot"> =>
  state.status === "stopped" ? unchanged(state) : move(state, "stop", now)

/**
 * Reactivates a subscription that is stopped or inactive. Existing payments that fell due are sent. A subscription
 * without end skips the instalments of that time. Without a card, a card subscription waits for one again.
 *
 * @category decisions
 * @since 0.1.0
 */
export const reactivate = (
  state: SubscriptionState,
  now: BusinessTime,
  today: LocalDate
): Decided<SubscriptionState, "SubscriptionCannot"> =>
  state.status === "active" || state.status === "waitingPayment"
    ? unchanged(state)
    : Result.flatMap(move(state, "reactivate", now), (reactivated) =>
        lacksCard(state) ? move(state, "wait", now) : Result.succeed(reactivating(today)(reactivated))
      )

/** True for a card subscription without a card. */
const lacksCard = ({
  cardId,
  mainPaymentMethodId: method
}: Pick<SubscriptionState, "mainPaymentMethodId"> & { readonly cardId?: SvcPayId | undefined }) =>
  method === "creditcard" && cardId === undefined

const reactivating =
  (today: LocalDate) =>
  ({ events, next }: Decision<SubscriptionState>): Decision<SubscriptionState> => ({
    next: next.schedule === undefined ? next : { ...next, schedule: reactivatedOn(next.schedule, today) },
    events
  })

/**
 * Deactivates a subscription that waits for a card. It can be reactivated.
 *
 * @category decisions
 * @since 0.1.0
 */
export const deactivate = (
  state: SubscriptionState,
  now: BusinessTime
): Decided<SubscriptionState, "SubscriptionCannot"> =>
  state.status === "inactive" ? unchanged(state) : move(state, "deactivate", now)

/**
 * The time of the next automatic step of a subscription:
 *
 * - `AtOnce`: on any day
 * - `OnDay`: from the start of the day
 * - `Never`: none in its current state
 *
 * @category models
 * @since 0.1.0
 */
export type SubscriptionDue =
  | { readonly _tag: "AtOnce" }
  | { readonly _tag: "OnDay"; readonly day: LocalDate }
  | { readonly _tag: "Never" }

/**
 * @category decisions
 * @since 0.1.0
 */
export const subscriptionDue = ({ schedule, status }: SubscriptionState): SubscriptionDue => {
  if (schedule === undefined || status !== "active") return { _tag: "Never" }
  const day = nextStepOn(schedule)
  return day === undefined ? { _tag: "AtOnce" } : { _tag: "OnDay", day }
}
