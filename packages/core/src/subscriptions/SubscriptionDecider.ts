/**
 * What may happen to a subscription, and what follows from it.
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
 * What a new subscription is decided with.
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
 * Creates a manual subscription. It has no transactions (interface section 4.1). One that is to be paid by card
 * and has none yet waits for it: `waitingPayment`; every other one is `active` at once.
 *
 * @category decisions
 * @since 0.1.0
 */
export const createManual = (
  command: CreateManualSubscription,
  context: NewSubscription
): Decided<SubscriptionState, "MyIdTaken"> => createWith(command, context, {})

/**
 * Creates a subscription, with what is its own of a kind of subscription.
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
  const status: SubscriptionStatus = isWithoutItsCard({ mainPaymentMethodId, cardId }) ? "waitingPayment" : "active"
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
      ...keptOf(command),
      payments: 0,
      ...own,
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "SubscriptionCreated", subscriptionId: id }]
  })
}

/**
 * What a request says of a contract that is kept as it was said.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keptOf = (
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
 * Records a card given with a payment: it becomes the subscription's card, and a subscription that waited
 * for one becomes active. What would have been due while one without end waited is left out, as when it is reactivated:
 * one card would be charged for months at once.
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
 * Ends its waiting: it has its card, or is paid in another way.
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
 * Records a payment that was added: the next one is the next instalment.
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
 * Moves a subscription along its transition table.
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
 * Cancels it. What becomes of its open transactions: `openOf` of `TransactionEndings`.
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
 * Closes a subscription whose instalments have all been made. Those that are open are still to be paid.
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

/** An operator who repeats a command has what was wanted: nothing changes. */
const unchanged = (state: SubscriptionState): Decided<SubscriptionState, never> =>
  Result.succeed({ next: state, events: [] })

/**
 * Stops it: nothing of it is sent until it is reactivated, and nothing is added. One that is stopped stays so.
 *
 * @category decisions
 * @since 0.1.0
 */
export const stop = (state: SubscriptionState, now: BusinessTime): Decided<SubscriptionState, "SubscriptionCannot"> =>
  state.status === "stopped" ? unchanged(state) : move(state, "stop", now)

/**
 * Reactivates it: what had been made and became due meanwhile is sent. Of a subscription without end, instalments that
 * would have been due meanwhile are left out. One that still has no card waits for it again. One that is neither stopped nor
 * inactive stays as it is, unless it is over.
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
        isWithoutItsCard(state) ? move(state, "wait", now) : Result.succeed(reactivating(today)(reactivated))
      )

/** It is to be paid by card, and has none. */
const isWithoutItsCard = ({
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
 * Sets aside a subscription whose card was not given. It can be reactivated later. One that is inactive stays so.
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
 * When something is to be done for a subscription without anybody's asking.
 *
 * - `AtOnce`: whatever the day is
 * - `OnDay`: from the beginning of that day on
 * - `Never`: not while it is as it is now
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
