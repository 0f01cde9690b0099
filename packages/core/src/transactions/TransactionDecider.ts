/**
 * New transactions: how a payment is added and opened; and the checks that all decisions about transactions share.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { AddPayment } from "./PaymentRequests.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import { type CardTerms, cardTermsOf } from "../paymentMethods/CardTerms.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import { type OutsideTransaction, type TransactionState, pendingAttemptOf } from "./TransactionState.ts"
import { nextPayday } from "../subscriptions/SubscriptionSchedule.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import { nextStatuses, type StatusBefore, type TransactionCause } from "./TransactionStatus.ts"

/**
 * Maximum value of a boleto, in cents: its value field has ten digits (FEBRABAN).
 *
 * @category constants
 * @since 0.1.0
 */
export const maxBoletoValue = 9_999_999_999

/**
 * @category models
 * @since 0.1.0
 */
export type AddRefusal =
  | "MyIdTaken"
  | "PaymentIncomplete"
  | "SubscriptionNotOpen"
  | "CardMissing"
  | "PaydayPast"
  | "ValueTooHigh"

/**
 * Adds a payment to a subscription. The payment opens in the status of its method, or as `payExternal` if it was paid
 * outside the service.
 *
 * @category decisions
 * @since 0.1.0
 */
export const add = (
  subscription: SubscriptionState,
  command: AddPayment,
  context: {
    readonly id: SvcPayId
    readonly sameMyId: TransactionState | undefined
    readonly today: LocalDate
    readonly now: BusinessTime
    /** True if the payment may open without a card when the subscription has none. */
    readonly mayWait?: boolean
  }
): Decided<TransactionState, AddRefusal> => {
  const { additionalInfo, InvoiceConfig, myId, payedOutsideSvcPay: payedOutside = false } = command
  const { schedule } = subscription
  const value = command.value ?? schedule?.value
  const payday = command.payday ?? (schedule === undefined ? undefined : nextPayday(schedule))
  const creditCard = cardTermsOf(command.PaymentMethodCreditCard) ?? subscription.creditCard
  const { id, mayWait = false, now, sameMyId } = context
  if (sameMyId !== undefined) return Result.fail(refuse({ _tag: "MyIdTaken", entity: "Transaction", myId }))
  if (subscription.status !== "active" && subscription.status !== "waitingPayment") {
    return Result.fail(refuse({ _tag: "SubscriptionNotOpen", status: subscription.status }))
  }
  if (value === undefined || payday === undefined) {
    const values = { value, payday }
    const missing = (["value", "payday"] as const).filter((field) => values[field] === undefined)
    return Result.fail(refuse({ _tag: "PaymentIncomplete", missing }))
  }
  const common = {
    id,
    companyId: subscription.companyId,
    owner: { _tag: "Subscription", id: subscription.id },
    myId,
    value,
    payday,
    ...(additionalInfo === undefined ? {} : { additionalInfo }),
    installment: subscription.payments + 1,
    ...(InvoiceConfig === undefined ? {} : { invoiceConfig: InvoiceConfig }),
    statusAt: now,
    createdAt: now,
    updatedAt: now
  } as const
  const opened: ReturnType<typeof openPayment> = payedOutside
    ? Result.succeed({ ...common, method: "outside", status: "payExternal" })
    : openPayment({ ...subscription, creditCard, mayWait }, common, context.today)
  return Result.map(opened, (next) => ({
    next,
    events: [{ _tag: "TransactionAdded", transactionId: id, subscriptionId: subscription.id }]
  }))
}

/**
 * Payment method, card and card settings of a new payment.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentTerms extends Pick<SubscriptionState, "mainPaymentMethodId"> {
  readonly cardId?: SvcPayId | undefined
  readonly creditCard: CardTerms | undefined
  /** True if a card payment may open without a card. It is sent once it has one. */
  readonly mayWait?: boolean
}

/**
 * A new payment of a subscription or a charge, in the opening status of its method.
 *
 * @category decisions
 * @since 0.1.0
 */
export const openPayment = (
  { cardId, creditCard, mainPaymentMethodId: method, mayWait = false }: PaymentTerms,
  common: Omit<typeof OutsideTransaction.Type, "method" | "status">,
  today: LocalDate
): Result.Result<TransactionState, RefusedBy<"CardMissing" | "PaydayPast" | "ValueTooHigh">> => {
  switch (method) {
    case "creditcard":
      return cardId === undefined && !mayWait
        ? Result.fail(refuse({ _tag: "CardMissing" }))
        : Result.succeed({
            ...common,
            method,
            ...(cardId === undefined ? {} : { cardId }),
            ...(creditCard === undefined ? {} : { creditCard }),
            status: "notSend"
          })
    case "boleto":
      return withinMethodLimits({ ...common, method, status: "pendingBoleto" }, today)
    case "pix":
      return withinMethodLimits({ ...common, method, status: "pendingPix" }, today)
  }
}

/**
 * Refuses a value or a payday that a boleto or a Pix cannot have.
 *
 * @category decisions
 * @since 0.1.0
 */
export const withinMethodLimits = (
  state: TransactionState,
  today: LocalDate
): Result.Result<TransactionState, RefusedBy<"PaydayPast" | "ValueTooHigh">> => {
  const { method, payday, value } = state
  if (method !== "boleto" && method !== "pix") return Result.succeed(state)
  if (payday < today) return Result.fail(refuse({ _tag: "PaydayPast", payday, today }))
  return method === "boleto" && value > maxBoletoValue
    ? Result.fail(refuse({ _tag: "ValueTooHigh", maximum: maxBoletoValue }))
    : Result.succeed(state)
}

/**
 * A transaction whose status allows a cause.
 *
 * @category models
 * @since 0.1.0
 */
export type Before<C extends TransactionCause> = TransactionState & { readonly status: StatusBefore<C> }

/**
 * Returns the transaction if no attempt is pending. Until the outcome of an attempt is known, no other change is
 * allowed, because money may have moved.
 *
 * @category steps
 * @since 0.1.0
 */
export const withoutPendingAttempt = <S extends TransactionState>(
  state: S
): Result.Result<S, RefusedBy<"AttemptPending">> =>
  pendingAttemptOf(state) === undefined ? Result.succeed(state) : Result.fail(refuse({ _tag: "AttemptPending" }))

/**
 * Refuses a cause that the transaction's status does not allow.
 *
 * @category steps
 * @since 0.1.0
 */
export const allowCause = <C extends TransactionCause>(
  state: TransactionState,
  cause: C
): Result.Result<Before<C>, RefusedBy<"TransactionCannot">> =>
  nextStatuses(state.status, cause).length > 0
    ? // Before<C> is read from the same table.
      Result.succeed(state as Before<C>)
    : Result.fail(refuse({ _tag: "TransactionCannot", cause, status: state.status }))

/**
 * Returns the transaction if its status allows the cause and no attempt is pending.
 *
 * @category steps
 * @since 0.1.0
 */
export const openFor = <C extends TransactionCause>(
  state: TransactionState,
  cause: C
): Result.Result<Before<C>, RefusedBy<"AttemptPending" | "TransactionCannot">> =>
  Result.flatMap(withoutPendingAttempt(state), (free) => allowCause(free, cause))

/**
 * The timestamps of a status change.
 *
 * @category steps
 * @since 0.1.0
 */
export const changedAt = (now: BusinessTime) => ({ statusAt: now, updatedAt: now })

/**
 * The decision to change `state` to `next`. The event is omitted if the status stays the same, as after a second
 * denial.
 *
 * @category steps
 * @since 0.1.0
 */
export const changedStatus = <S extends TransactionState>(state: TransactionState, next: S): Decision<S> => ({
  next,
  events:
    next.status === state.status
      ? []
      : [{ _tag: "TransactionStatusChanged", transactionId: state.id, from: state.status, to: next.status }]
})

/**
 * The status of a cancelled payment. A charge is cancelled together with its only payment.
 *
 * @category steps
 * @since 0.1.0
 */
export const cancelledStatus = ({ owner }: Pick<TransactionState, "owner">): "cancel" | "cancelByContract" =>
  owner._tag === "Charge" ? "cancelByContract" : "cancel"
