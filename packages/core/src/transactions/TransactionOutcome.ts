/**
 * Effects of an attempt's outcome on the attempt and its transaction.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Attempt, AttemptKind, AttemptId } from "../attempts/Attempt.ts"
import {
  type AttemptOutcome,
  type CancellationOutcome,
  isKnown,
  type OperatorOutcome,
  type FinalDenial,
  type RegistrationOutcome,
  resultOf,
  type ReversalOutcome
} from "../attempts/AttemptOutcome.ts"
import type { BillingEvent } from "../webhooks/BillingEvent.ts"
import type { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethod.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { Decision } from "../values/Decision.ts"
import type { BusinessTime, MachineTime } from "../time/Instant.ts"
import { cancelledStatus, changedAt, changedStatus } from "./TransactionDecider.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import { byOtherMethod } from "./TransactionEdit.ts"
import { reverseAmount } from "./TransactionReversal.ts"
import { settlementsOf, type TransactionState, pendingAttemptOf } from "./TransactionState.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface OutcomeContext {
  readonly now: BusinessTime
  /** Machine time at which the outcome arrived. */
  readonly settledAt: MachineTime
  /** Key in the URL of the payment page, for a registration. */
  readonly documentKey: string
  /** Boleto and Pix settings of the registration. */
  readonly terms: RegisteredTerms
  /** True if the subscription was cancelled. A withdrawn payment is then cancelled too. */
  readonly isOfCancelledContract?: boolean
}

/**
 * @category models
 * @since 0.1.0
 */
export interface RegisteredTerms {
  readonly boleto: PaymentMethodBoleto
  readonly pix: PaymentMethodPix
}

/**
 * The transaction and the attempt after the outcome.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecordedOutcome extends Decision<TransactionState> {
  readonly attempt: Attempt
}

/**
 * Records the outcome of an attempt.
 *
 * **Details**
 *
 * - The same outcome again changes nothing and has no events. A late or repeated response is therefore harmless.
 * - `AttemptUnknown`: another outcome than the recorded one, an outcome of another kind of attempt, or an attempt that
 *   is not the pending one.
 * - A denial remains stored after a later capture, as the interface shows. A denied reversal or cancellation changes
 *   nothing. A final denial of a registration ends the payment: `notCompensated` or `unavailablePix`.
 * - A payment that arrived during the cancellation at the provider remains paid, whatever the outcome of the
 *   cancellation.
 *
 * @category decisions
 * @since 0.1.0
 */
export const recordOutcome = (
  state: TransactionState,
  attempt: Attempt,
  outcome: AttemptOutcome,
  context: OutcomeContext
): Result.Result<RecordedOutcome, RefusedBy<"AttemptUnknown">> => {
  if (attempt.result !== undefined) {
    return isKnown(attempt, outcome) ? Result.succeed({ next: state, attempt, events: [] }) : unknown
  }
  const decision =
    pendingAttemptOf(state)?.attemptId === attempt.id
      ? apply(state, attempt, outcome, context)
      : afterPayment(state, attempt, outcome)
  return decision === undefined
    ? unknown
    : Result.succeed({ ...decision, attempt: { ...attempt, result: resultOf(outcome, context.settledAt) } })
}

const unknown = Result.fail(refuse({ _tag: "AttemptUnknown" }))

type Applied = Decision<TransactionState> | undefined

const apply = (
  state: TransactionState,
  { id, kind }: Attempt,
  outcome: AttemptOutcome,
  context: OutcomeContext
): Applied => {
  switch (outcome._tag) {
    case "Captured":
    case "Authorized":
    case "Denied":
      return kind === "charge" || kind === "capture" ? recordResponse(state, id, outcome, context.now) : undefined
    case "Reversed":
      return kind === "reverse" ? reversed(state, outcome, context.now) : undefined
    case "BoletoRegistered":
    case "PixOpened":
      return kind === "register" ? registered(state, outcome, context) : undefined
    case "Cancelled":
      return kind === "cancel" ? cancelled(state, outcome, context) : undefined
    case "Abandoned":
      return kind === "charge" ? abandoned(state, id, context.now) : undefined
    case "FinallyDenied":
      return finallyDenied(state, { id, kind }, outcome, context.now)
  }
}

/** Outcome of a cancellation during which the payment was paid. */
const afterPayment = (state: TransactionState, { id, kind }: Attempt, outcome: AttemptOutcome): Applied => {
  if (kind !== "cancel" || settlementsOf(state).length === 0) return undefined
  const about = { transactionId: state.id, attemptId: id }
  switch (outcome._tag) {
    case "Cancelled":
      return { next: state, events: [{ _tag: "WithdrawnAfterPayment", ...about }] }
    case "FinallyDenied": {
      const { code, message } = outcome
      return { next: state, events: [{ _tag: "ProviderDenied", ...about, kind, code, message }] }
    }
    default:
      return undefined
  }
}

const recordResponse = (
  state: TransactionState,
  attemptId: AttemptId,
  outcome: OperatorOutcome,
  now: BusinessTime
): Applied => {
  if (state.status !== "notSend" && state.status !== "denied" && state.status !== "authorized") return undefined
  const { cardId, pendingAttempt: _, ...free } = state
  // A payment without a card is never sent.
  if (cardId === undefined) return undefined
  const sent = { ...free, cardId, lastSentAt: free.lastSentAt ?? now }
  const responded = { _tag: "OperatorResponded", transactionId: state.id, attemptId, outcome: outcome._tag } as const
  const decision =
    outcome._tag === "Denied"
      ? changedStatus(state, { ...sent, status: "denied", denial: denialOf(outcome), ...changedAt(now) })
      : changedStatus(state, {
          ...sent,
          status: outcome._tag === "Captured" ? "captured" : "authorized",
          authorization: { tid: outcome.tid, code: outcome.authorizationCode },
          ...changedAt(now)
        })
  return { next: decision.next, events: [responded, ...decision.events] }
}

const denialOf = ({ code, message, tid }: Extract<OperatorOutcome, { _tag: "Denied" }>) => ({ code, message, tid })

const reversed = (
  state: TransactionState,
  _outcome: Exclude<ReversalOutcome, FinalDenial>,
  now: BusinessTime
): Applied =>
  (state.status === "captured" || state.status === "authorized") && state.pendingAttempt !== undefined
    ? reverseAmount(state, state.pendingAttempt.value, now)
    : undefined

const registered = (
  state: TransactionState,
  outcome: Exclude<RegistrationOutcome, FinalDenial>,
  { documentKey, now: at, terms }: OutcomeContext
): Applied => {
  const isReplacement = "withdrawals" in state && state.withdrawals !== undefined
  const events: ReadonlyArray<BillingEvent> = [
    { _tag: "TransactionRegistered", transactionId: state.id, ...(isReplacement ? { isReplacement } : {}) }
  ]
  if (state.status === "pendingBoleto" && outcome._tag === "BoletoRegistered") {
    const { pendingAttempt: _, ...free } = state
    const registration = { slip: outcome.slip, documentKey, at, terms: terms.boleto }
    return { next: { ...free, registration, updatedAt: at }, events }
  }
  if (state.status === "pendingPix" && outcome._tag === "PixOpened") {
    const { pendingAttempt: _, ...free } = state
    const registration = { charge: outcome.charge, documentKey, at, terms: terms.pix }
    return { next: { ...free, registration, updatedAt: at }, events }
  }
  return undefined
}

const cancelled = (
  state: TransactionState,
  _outcome: Exclude<CancellationOutcome, FinalDenial>,
  { isOfCancelledContract = false, now }: OutcomeContext
): Applied => {
  if (state.status !== "pendingBoleto" && state.status !== "pendingPix") return undefined
  const { pendingAttempt, ...free } = state
  const withdrawn = pendingAttempt?.withdrawn
  const continues = withdrawn?._tag === "Changed" || withdrawn?._tag === "Reopened"
  if (withdrawn === undefined || (continues && isOfCancelledContract)) {
    const status = isOfCancelledContract ? "cancelByContract" : cancelledStatus(state)
    return changedStatus(state, { ...free, status, ...changedAt(now) })
  }
  switch (withdrawn._tag) {
    case "Changed":
      return toBeRegistered(free, withdrawn, now)
    case "PaidOutside": {
      const { payday, value } = withdrawn
      return changedStatus(state, { ...free, value, payday, status: "payExternal", ...changedAt(now) })
    }
    case "Reopened":
      return reopened(free, withdrawn, now)
    case "Waived":
      return changedStatus(state, { ...free, status: "free", ...changedAt(now) })
  }
}

/** The request was never sent: restores the state before the attempt. */
const abandoned = (state: TransactionState, attemptId: AttemptId, now: BusinessTime): Applied => {
  const events = [{ _tag: "AttemptAbandoned", transactionId: state.id, attemptId } as const]
  switch (state.status) {
    case "notSend": {
      const { lastSentAt: _, pendingAttempt: __, ...free } = state
      return { next: { ...free, updatedAt: now }, events }
    }
    case "denied": {
      const { pendingAttempt: _, ...free } = state
      return { next: { ...free, updatedAt: now }, events }
    }
    default:
      return undefined
  }
}

/** The registration is cancelled, and the payment must be registered again with its new value or payday. */
const toBeRegistered = (
  state: Extract<TransactionState, { readonly status: "pendingBoleto" | "pendingPix" }>,
  { payday, value }: Pick<TransactionState, "payday" | "value">,
  now: BusinessTime
): Applied => {
  const { registration: _, ...free } = state
  const withdrawals = (free.withdrawals ?? 0) + 1
  return {
    next: { ...free, value, payday, withdrawals, updatedAt: now },
    events: [{ _tag: "TransactionEdited", transactionId: state.id }]
  }
}

/** The registration is cancelled, and the payment continues with another method. */
const reopened = (
  state: Parameters<typeof toBeRegistered>[0],
  { cardId, creditCard, method, payday, value }: Extract<Withdrawn, { readonly _tag: "Reopened" }>,
  now: BusinessTime
): Applied => {
  const withdrawals = (state.withdrawals ?? 0) + 1
  const terms = { mainPaymentMethodId: method, cardId, creditCard, value }
  const other = byOtherMethod({ ...state, payday, withdrawals }, terms, { now, today: payday })
  // Impossible changes were refused before the cancellation.
  if (Result.isFailure(other)) return undefined
  const { events, next } = changedStatus(state, { ...other.success, updatedAt: now })
  return { next, events: [{ _tag: "TransactionEdited", transactionId: state.id }, ...events] }
}

const finallyDenied = (
  state: TransactionState,
  { id: attemptId, kind }: { readonly id: AttemptId; readonly kind: AttemptKind },
  { code, message }: FinalDenial,
  now: BusinessTime
): Applied => {
  const event = { _tag: "ProviderDenied", transactionId: state.id, attemptId, kind, code, message } as const
  const denial = { code, message }
  switch (state.status) {
    case "pendingBoleto": {
      const { pendingAttempt: _, ...free } = state
      if (kind !== "register") return { next: { ...free, updatedAt: now }, events: [event] }
      const { events, next } = changedStatus(state, {
        ...free,
        status: "notCompensated",
        registrationDenial: denial,
        ...changedAt(now)
      })
      return { next, events: [event, ...events] }
    }
    case "pendingPix": {
      const { pendingAttempt: _, ...free } = state
      if (kind !== "register") return { next: { ...free, updatedAt: now }, events: [event] }
      const { events, next } = changedStatus(state, {
        ...free,
        status: "unavailablePix",
        registrationDenial: denial,
        ...changedAt(now)
      })
      return { next, events: [event, ...events] }
    }
    case "authorized":
    case "captured": {
      if (kind !== "reverse") return undefined
      const { pendingAttempt: _, ...free } = state
      return { next: { ...free, updatedAt: now }, events: [event] }
    }
    default:
      return undefined
  }
}
