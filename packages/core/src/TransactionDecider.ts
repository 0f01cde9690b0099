/**
 * What may happen to a transaction, and what follows from it.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { AddPayment } from "./AddPayment.ts"
import { type BillingRefusal, refuse } from "./BillingError.ts"
import type { BillingEvent } from "./BillingEvent.ts"
import type { Decided } from "./Decision.ts"
import type { EpochMillis } from "./EpochMillis.ts"
import type { SvcPayId } from "./Identifier.ts"
import { withinBrandLimits } from "./internal/brandLimits.ts"
import { answered, move } from "./internal/transactionMove.ts"
import type { LocalDate } from "./LocalDate.ts"
import type { RetryInput } from "./RetryPolicy.ts"
import type { SubscriptionState } from "./SubscriptionState.ts"
import { openTransactionsWhile, type SubscriptionStatus } from "./SubscriptionStatus.ts"
import type { AttemptId, BoletoSlip, PixCharge, TransactionState } from "./TransactionState.ts"
import { nextStatuses, openingStatus, type TransactionStatus } from "./TransactionStatus.ts"

/** A boleto's value field has ten digits (FEBRABAN). */
const highestBoletoValue = 9_999_999_999

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
    readonly now: EpochMillis
  }
): Decided<TransactionState> => {
  const { additionalInfo, myId, payday, payedOutsideSvcPay: payedOutside = false, value } = command
  const { id, now, sameMyId, today } = context
  const { cardId, mainPaymentMethodId: method } = subscription
  const refused = (refusal: BillingRefusal) => Result.fail(refuse(refusal))
  if (sameMyId !== undefined) return refused({ _tag: "MyIdTaken", entity: "Transaction", myId })
  if (subscription.status !== "active" && subscription.status !== "waitingPayment") {
    return refused({ _tag: "SubscriptionNotOpen", status: subscription.status })
  }
  if (!payedOutside) {
    if (method === "creditcard" && cardId === undefined) return refused({ _tag: "CardMissing" })
    if (method !== "creditcard" && payday < today) return refused({ _tag: "PaydayPast", payday, today })
    if (method === "boleto" && value > highestBoletoValue) {
      return refused({ _tag: "ValueTooHigh", maximum: highestBoletoValue })
    }
  }
  return Result.succeed({
    next: {
      id,
      companyId: subscription.companyId,
      subscriptionId: subscription.id,
      myId,
      method,
      value,
      payday,
      payedOutside,
      ...(additionalInfo === undefined ? {} : { additionalInfo }),
      installment: subscription.payments + 1,
      status: payedOutside ? "payExternal" : openingStatus[method],
      statusAt: now,
      ...(method === "creditcard" && cardId !== undefined ? { cardId } : {}),
      createdAt: now,
      updatedAt: now
    },
    events: [{ _tag: "TransactionAdded", transactionId: id, subscriptionId: subscription.id }]
  })
}

/**
 * True when the outside is to be asked now, without anybody's asking: a card payment that is due and was never
 * sent, a boleto or a Pix that has no code yet; and its subscription does not hold its payments back.
 *
 * @category decisions
 * @since 0.1.0
 */
export const wantsAttempt = (
  state: TransactionState,
  today: LocalDate,
  subscription: SubscriptionStatus = "active"
): boolean => {
  if (state.attemptId !== undefined || openTransactionsWhile[subscription] !== "sent") return false
  switch (state.status) {
    case "notSend":
      return state.payday <= today
    case "pendingBoleto":
      return state.boleto === undefined
    case "pendingPix":
      return state.pix === undefined
    default:
      return false
  }
}

/**
 * Puts an attempt under way: the outside is asked only after this is committed.
 *
 * @category decisions
 * @since 0.1.0
 */
export const begin = (state: TransactionState, attemptId: AttemptId, now: EpochMillis): Decided<TransactionState> =>
  state.attemptId !== undefined
    ? Result.fail(refuse({ _tag: "AttemptUnderWay" }))
    : Result.succeed({
        next: {
          ...state,
          attemptId,
          updatedAt: now,
          ...(state.method === "creditcard" ? { lastSentAt: now } : {})
        },
        events: [{ _tag: "TransactionSent", transactionId: state.id, attemptId }]
      })

/**
 * What the card brands' retry programmes are asked with: the card's brand, all its tries, and the merchant advice
 * code beside the last refusal. Code and value are the transaction's own.
 *
 * @category models
 * @since 0.1.0
 */
export type RetryHistory = Pick<RetryInput, "brand" | "attempts" | "merchantAdviceCode">

/**
 * Whether the capture of a transaction failed or is pending, so that it may be tried again.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isRetriable = ({ status }: Pick<TransactionState, "status">): boolean =>
  nextStatuses(status, "operator").length > 0

/**
 * Tries the capture again (interface section 4.3): allowed where it failed (`denied`) or is pending (`notSend`,
 * `authorized`), and no try is under way.
 *
 * **Details**
 *
 * Nothing shows that services of this family look at the refusal's code, so the status alone decides. With
 * `history`, a refused charge must also be within the brands' limits (see `RetryPolicy`).
 *
 * @category decisions
 * @since 0.1.0
 */
export const retry = (
  state: TransactionState,
  attemptId: AttemptId,
  now: EpochMillis,
  history?: RetryHistory
): Decided<TransactionState> => {
  if (nextStatuses(state.status, "operator").length === 0) {
    return Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
  }
  return Result.flatMap(begin(state, attemptId, now), (begun) =>
    history === undefined ? Result.succeed(begun) : Result.map(withinBrandLimits(state, history, now), () => begun)
  )
}

/**
 * What the card operator said of an attempt. An answer that was lost is not an outcome: the attempt stays under way.
 *
 * @category models
 * @since 0.1.0
 */
export type OperatorOutcome =
  | { readonly _tag: "Captured"; readonly tid: string; readonly authorizationCode: string }
  | { readonly _tag: "Authorized"; readonly tid: string; readonly authorizationCode: string }
  | { readonly _tag: "Denied"; readonly tid: string; readonly code: string; readonly message: string }

const statusOfOutcome = {
  Captured: "captured",
  Authorized: "authorized",
  Denied: "denied"
} as const satisfies Record<OperatorOutcome["_tag"], TransactionStatus>

/**
 * Takes note of the operator's answer. A denial is kept after a later capture, as the interface shows.
 *
 * @category decisions
 * @since 0.1.0
 */
export const recordOutcome = (
  state: TransactionState,
  attemptId: AttemptId,
  outcome: OperatorOutcome,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.flatMap(state.reversing === undefined ? answered(state, attemptId) : unknown, (free) =>
    Result.map(
      move(
        {
          ...free,
          tid: outcome.tid,
          ...(outcome._tag === "Denied"
            ? { refusal: { code: outcome.code, message: outcome.message } }
            : { authorizationCode: outcome.authorizationCode })
        },
        "operator",
        statusOfOutcome[outcome._tag],
        now
      ),
      ({ events, next }) => ({
        next,
        events: [{ _tag: "OperatorAnswered", transactionId: state.id, attemptId, outcome: outcome._tag }, ...events]
      })
    )
  )

/**
 * Takes note of a boleto's registration.
 *
 * @category decisions
 * @since 0.1.0
 */
export const registerBoleto = (
  state: TransactionState,
  attemptId: AttemptId,
  boleto: BoletoSlip,
  documentKey: string,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.map(answered(state, attemptId), (free) =>
    registered({ ...free, boleto, documentKey, registeredAt: now, updatedAt: now })
  )

/**
 * Takes note of a Pix charge that was opened.
 *
 * @category decisions
 * @since 0.1.0
 */
export const registerPix = (
  state: TransactionState,
  attemptId: AttemptId,
  pix: PixCharge,
  documentKey: string,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.map(answered(state, attemptId), (free) =>
    registered({ ...free, pix, documentKey, registeredAt: now, updatedAt: now })
  )

// A reversal's outcome is another decision: `recordReversal`.
const unknown = Result.fail(refuse({ _tag: "AttemptUnknown" }))

const registered = (next: TransactionState) => ({
  next,
  events: [{ _tag: "TransactionRegistered", transactionId: next.id }] satisfies ReadonlyArray<BillingEvent>
})
