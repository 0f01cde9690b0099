/**
 * What may happen to a transaction before a provider has said anything, and what follows from it.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { AddPayment } from "./AddPayment.ts"
import type { Attempt, AttemptKind, AttemptProvider } from "../attempts/Attempt.ts"
import type { AttemptId } from "../attempts/AttemptId.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { BillingRefusal } from "../errors/BillingRefusal.ts"
import type { CardTerms } from "../paymentMethods/CardTerms.ts"
import { cardTermsOf } from "../paymentMethods/PaymentMethodInputs.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { MachineTime } from "../time/MachineTime.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import { type BrandHistory, withinBrandLimits } from "../internal/brandLimits.ts"
import { unhindered } from "../internal/transactionMove.ts"
import type { LocalDate } from "../time/LocalDate.ts"
import type { OpenPayments } from "./OpenPayments.ts"
import type { OutsideTransaction } from "./OutsideTransaction.ts"
import { nextPayday } from "../subscriptions/SubscriptionSchedule.ts"
import type { SubscriptionState } from "../subscriptions/SubscriptionState.ts"
import { cardOf, type TransactionState, type UnderWay, underWayOf } from "./TransactionState.ts"

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
 * True when the provider is to be asked now, without a request: a card payment that is due, has its card and was never
 * sent, a boleto or a Pix that has no code yet; and its subscription or charge lets its payments be
 * sent.
 *
 * @category decisions
 * @since 0.1.0
 */
export const wantsAttempt = (state: TransactionState, today: LocalDate, open: OpenPayments = "sent"): boolean => {
  if (underWayOf(state) !== undefined || open !== "sent") return false
  switch (state.status) {
    case "notSend":
      return state.cardId !== undefined && state.payday <= today
    case "pendingBoleto":
    case "pendingPix":
      return state.registration === undefined
    default:
      return false
  }
}

/**
 * What names a new attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewAttempt {
  readonly attemptId: AttemptId
  /** By the machine's clock. */
  readonly startedAt: MachineTime
}

/**
 * A decision that puts an attempt under way: both are committed before the provider is asked.
 *
 * @category models
 * @since 0.1.0
 */
export interface Begun extends Decision<TransactionState> {
  readonly attempt: Attempt
}

/**
 * @category models
 * @since 0.1.0
 */
export type DecidedAttempt<T extends BillingRefusal["_tag"]> = Result.Result<Begun, RefusedBy<T>>

/** Which kinds of attempt a transaction may have under way, by its method and status. */
type UnderWayIn<S> = S extends { readonly underWay?: infer U } ? NonNullable<U> : never

/** A transaction for which this kind of attempt may be under way. */
type May<K extends AttemptKind> = TransactionState extends infer S
  ? S extends TransactionState
    ? K extends UnderWayIn<S>["kind"]
      ? S
      : never
    : never
  : never

const providerOf = ({ method }: TransactionState): AttemptProvider => {
  switch (method) {
    case "boleto":
      return "boletoBank"
    case "pix":
      return "pixProvider"
    default:
      return "cardOperator"
  }
}

/**
 * Puts an attempt under way: the provider is asked only after this is committed. What may be asked depends on the
 * transaction, and the type of `kind` says so.
 *
 * @category decisions
 * @since 0.1.0
 */
export const begin = <K extends AttemptKind>(
  state: May<K>,
  {
    attemptId,
    kind,
    startedAt,
    value,
    withdrawn
  }: NewAttempt &
    Pick<UnderWay, "value"> & { readonly kind: K; readonly withdrawn?: UnderWay["withdrawn"] | undefined },
  now: BusinessTime
): DecidedAttempt<"AttemptUnderWay"> =>
  Result.map(unhindered<TransactionState>(state), () => {
    const underWay: UnderWay = { attemptId, kind, value, ...(withdrawn === undefined ? {} : { withdrawn }) }
    const cardId = cardOf(state)
    return {
      // `May` says that a transaction of this status may have this kind under way.
      next: {
        ...state,
        underWay,
        updatedAt: now,
        ...(state.method === "creditcard" ? { lastSentAt: now } : {})
      } as TransactionState,
      attempt: {
        id: attemptId,
        companyId: state.companyId,
        transactionId: state.id,
        kind,
        ...(cardId === undefined ? {} : { cardId }),
        value,
        provider: providerOf(state),
        startedAt,
        businessAt: now
      },
      events: [{ _tag: "TransactionSent", transactionId: state.id, attemptId }]
    }
  })

const firstCharge = (
  state: Extract<TransactionState, { readonly status: "notSend" }>,
  attempt: NewAttempt,
  now: BusinessTime
): DecidedAttempt<"AttemptUnderWay" | "CardMissing"> =>
  state.cardId === undefined
    ? Result.fail(refuse({ _tag: "CardMissing" }))
    : begin(state, { ...attempt, kind: "charge", value: state.value }, now)

/**
 * Sends what {@link wantsAttempt}: a card payment is charged, a boleto or a Pix is registered.
 *
 * @category decisions
 * @since 0.1.0
 */
export const send = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime
): DecidedAttempt<"AttemptUnderWay" | "CardMissing" | "NotRetriable"> => {
  switch (state.status) {
    case "notSend":
      return firstCharge(state, attempt, now)
    case "pendingBoleto":
    case "pendingPix":
      return state.registration === undefined
        ? begin(state, { ...attempt, kind: "register", value: state.value }, now)
        : Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
    default:
      return Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
  }
}

/**
 * Tries the capture again (interface section 4.3): allowed where it failed (`denied`) or is pending (`notSend`,
 * `authorized`), and no try is under way. What is authorized already is captured: a second authorization would hold the
 * amount twice.
 *
 * **Details**
 *
 * Nothing shows that services of this family look at the refusal's code, so the status alone decides. With
 * `history`, a denied charge must also be within the brands' limits (see `CardRetryLimits`).
 *
 * @category decisions
 * @since 0.1.0
 */
export const retry = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime,
  history?: BrandHistory
): DecidedAttempt<"NotRetriable" | "AttemptUnderWay" | "CardMissing" | "RetryTooEarly" | "RetryNever"> => {
  switch (state.status) {
    case "notSend":
      return firstCharge(state, attempt, now)
    case "authorized":
      return begin(state, { ...attempt, kind: "capture", value: state.value }, now)
    case "denied":
      return Result.flatMap(begin(state, { ...attempt, kind: "charge", value: state.value }, now), (begun) =>
        history === undefined ? Result.succeed(begun) : Result.map(withinBrandLimits(state, history, now), () => begun)
      )
    default:
      return Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
  }
}
