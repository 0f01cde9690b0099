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
import { type OutsideTransaction, type TransactionState, underWayOf } from "./TransactionState.ts"
import { nextPayday } from "../subscriptions/SubscriptionSchedule.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import { nextStatuses, type StatusBefore, type TransactionCause } from "./TransactionStatus.ts"

/**
 * In cents: a boleto's value field has ten digits (FEBRABAN).
 *
 * @category constants
 * @since 0.1.0
 */
export const highestBoletoValue = 9_999_999_999

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
 * Adds a payment to a subscription. It opens in the status of its method, or as `payExternal` when it was paid
 * outside the service. A card payment that is due, a boleto and a Pix want an attempt next: see {@link wantsAttempt}.
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
    /** Whether a payment of a subscription that waits for its card waits with it. */
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
    const given = { value, payday }
    const missing = (["value", "payday"] as const).filter((field) => given[field] === undefined)
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
  const opened: ReturnType<typeof opening> = payedOutside
    ? Result.succeed({ ...common, method: "outside", status: "payExternal" })
    : opening({ ...subscription, creditCard, mayWait }, common, context.today)
  return Result.map(opened, (next) => ({
    next,
    events: [{ _tag: "TransactionAdded", transactionId: id, subscriptionId: subscription.id }]
  }))
}

/**
 * How payments are asked for: by a card, a boleto or a Pix.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentTerms extends Pick<SubscriptionState, "mainPaymentMethodId"> {
  readonly cardId?: SvcPayId | undefined
  readonly creditCard: CardTerms | undefined
  /** Whether a payment by card may open without one: it is sent once it has its card. */
  readonly mayWait?: boolean
}

/**
 * How a payment opens, of whatever owner.
 *
 * @category decisions
 * @since 0.1.0
 */
export const opening = (
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
      return withinMethod({ ...common, method, status: "pendingBoleto" }, today)
    case "pix":
      return withinMethod({ ...common, method, status: "pendingPix" }, today)
  }
}

/**
 * The transaction, unless its value or its payday is none that a boleto or a Pix can have.
 *
 * @category decisions
 * @since 0.1.0
 */
export const withinMethod = (
  state: TransactionState,
  today: LocalDate
): Result.Result<TransactionState, RefusedBy<"PaydayPast" | "ValueTooHigh">> => {
  const { method, payday, value } = state
  if (method !== "boleto" && method !== "pix") return Result.succeed(state)
  if (payday < today) return Result.fail(refuse({ _tag: "PaydayPast", payday, today }))
  return method === "boleto" && value > highestBoletoValue
    ? Result.fail(refuse({ _tag: "ValueTooHigh", maximum: highestBoletoValue }))
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
export const unhindered = <S extends TransactionState>(state: S): Result.Result<S, RefusedBy<"AttemptUnderWay">> =>
  underWayOf(state) === undefined ? Result.succeed(state) : Result.fail(refuse({ _tag: "AttemptUnderWay" }))

/**
 * Refuses a cause that the transaction's status does not allow.
 *
 * @category steps
 * @since 0.1.0
 */
export const allows = <C extends TransactionCause>(
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
export const open = <C extends TransactionCause>(
  state: TransactionState,
  cause: C
): Result.Result<Before<C>, RefusedBy<"AttemptUnderWay" | "TransactionCannot">> =>
  Result.flatMap(unhindered(state), (free) => allows(free, cause))

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
export const moved = <S extends TransactionState>(state: TransactionState, next: S): Decision<S> => ({
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
