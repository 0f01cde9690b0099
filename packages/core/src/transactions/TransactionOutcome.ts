/**
 * What follows from an outcome: of the attempt, and of the transaction that it is about.
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
import { cancelledStatus, changedAt, moved } from "./TransactionDecider.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import { byOtherMethod } from "./TransactionEdit.ts"
import { giveBack } from "./TransactionReversal.ts"
import { settlementsOf, type TransactionState, underWayOf } from "./TransactionState.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface OutcomeContext {
  readonly now: BusinessTime
  /** When the outcome came in, by the machine's clock. */
  readonly settledAt: MachineTime
  /** For the address of a slip or a code that this registration made. */
  readonly documentKey: string
  /** How the provider was asked for a slip or a code. */
  readonly terms: RegisteredTerms
  /** Whether its subscription was cancelled: then what is withdrawn is cancelled with it. */
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
export interface Ended extends Decision<TransactionState> {
  readonly attempt: Attempt
}

/**
 * Records what a provider said of an attempt.
 *
 * **Details**
 *
 * - The outcome that the attempt ended with, again, changes nothing and makes nothing known: that is how a response
 *   that comes late or twice is harmless.
 * - `AttemptUnknown`: another outcome than the one that it ended with, one of another kind of attempt, or an attempt
 *   that is not the one under way.
 * - A denial is kept after a later capture, as the interface shows. A reversal or a cancellation that was denied leaves
 *   everything as it was. A registration that was denied for good ends the payment: `notCompensated` or
 *   `unavailablePix`.
 * - What was paid while its withdrawal was under way stays paid, whatever its provider said of the withdrawal.
 *
 * @category decisions
 * @since 0.1.0
 */
export const recordOutcome = (
  state: TransactionState,
  attempt: Attempt,
  outcome: AttemptOutcome,
  context: OutcomeContext
): Result.Result<Ended, RefusedBy<"AttemptUnknown">> => {
  if (attempt.result !== undefined) {
    return isKnown(attempt, outcome) ? Result.succeed({ next: state, attempt, events: [] }) : unknown
  }
  const decision =
    underWayOf(state)?.attemptId === attempt.id
      ? follow(state, attempt, outcome, context)
      : afterPayment(state, attempt, outcome)
  return decision === undefined
    ? unknown
    : Result.succeed({ ...decision, attempt: { ...attempt, result: resultOf(outcome, context.settledAt) } })
}

const unknown = Result.fail(refuse({ _tag: "AttemptUnknown" }))

type Followed = Decision<TransactionState> | undefined

const follow = (
  state: TransactionState,
  { id, kind }: Attempt,
  outcome: AttemptOutcome,
  context: OutcomeContext
): Followed => {
  switch (outcome._tag) {
    case "Captured":
    case "Authorized":
    case "Denied":
      return kind === "charge" || kind === "capture" ? operatorSaid(state, id, outcome, context.now) : undefined
    case "Reversed":
      return kind === "reverse" ? reversed(state, outcome, context.now) : undefined
    case "BoletoRegistered":
    case "PixOpened":
      return kind === "register" ? registered(state, outcome, context) : undefined
    case "Cancelled":
      return kind === "cancel" ? cancelled(state, outcome, context) : undefined
    case "GivenUp":
      return kind === "charge" ? givenUp(state, id, context.now) : undefined
    case "DeniedForGood":
      return deniedForGood(state, { id, kind }, outcome, context.now)
  }
}

/** It was paid while its withdrawal was under way. */
const afterPayment = (state: TransactionState, { id, kind }: Attempt, outcome: AttemptOutcome): Followed => {
  if (kind !== "cancel" || settlementsOf(state).length === 0) return undefined
  const about = { transactionId: state.id, attemptId: id }
  switch (outcome._tag) {
    case "Cancelled":
      return { next: state, events: [{ _tag: "WithdrawnAfterPayment", ...about }] }
    case "DeniedForGood": {
      const { code, message } = outcome
      return { next: state, events: [{ _tag: "ProviderDenied", ...about, kind, code, message }] }
    }
    default:
      return undefined
  }
}

const operatorSaid = (
  state: TransactionState,
  attemptId: AttemptId,
  outcome: OperatorOutcome,
  now: BusinessTime
): Followed => {
  if (state.status !== "notSend" && state.status !== "denied" && state.status !== "authorized") return undefined
  const { cardId, underWay: _, ...free } = state
  // Without a card nothing is sent.
  if (cardId === undefined) return undefined
  const sent = { ...free, cardId, lastSentAt: free.lastSentAt ?? now }
  const responded = { _tag: "OperatorResponded", transactionId: state.id, attemptId, outcome: outcome._tag } as const
  const decision =
    outcome._tag === "Denied"
      ? moved(state, { ...sent, status: "denied", denial: denialOf(outcome), ...changedAt(now) })
      : moved(state, {
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
): Followed =>
  (state.status === "captured" || state.status === "authorized") && state.underWay !== undefined
    ? giveBack(state, state.underWay.value, now)
    : undefined

const registered = (
  state: TransactionState,
  outcome: Exclude<RegistrationOutcome, FinalDenial>,
  { documentKey, now: at, terms }: OutcomeContext
): Followed => {
  const isAnew = "withdrawals" in state && state.withdrawals !== undefined
  const events: ReadonlyArray<BillingEvent> = [
    { _tag: "TransactionRegistered", transactionId: state.id, ...(isAnew ? { isAnew } : {}) }
  ]
  if (state.status === "pendingBoleto" && outcome._tag === "BoletoRegistered") {
    const { underWay: _, ...free } = state
    const registration = { slip: outcome.slip, documentKey, at, terms: terms.boleto }
    return { next: { ...free, registration, updatedAt: at }, events }
  }
  if (state.status === "pendingPix" && outcome._tag === "PixOpened") {
    const { underWay: _, ...free } = state
    const registration = { charge: outcome.charge, documentKey, at, terms: terms.pix }
    return { next: { ...free, registration, updatedAt: at }, events }
  }
  return undefined
}

const cancelled = (
  state: TransactionState,
  _outcome: Exclude<CancellationOutcome, FinalDenial>,
  { isOfCancelledContract = false, now }: OutcomeContext
): Followed => {
  if (state.status !== "pendingBoleto" && state.status !== "pendingPix") return undefined
  const { underWay, ...free } = state
  const withdrawn = underWay?.withdrawn
  const isToGoOn = withdrawn?._tag === "Changed" || withdrawn?._tag === "Reopened"
  if (withdrawn === undefined || (isToGoOn && isOfCancelledContract)) {
    const status = isOfCancelledContract ? "cancelByContract" : cancelledStatus(state)
    return moved(state, { ...free, status, ...changedAt(now) })
  }
  switch (withdrawn._tag) {
    case "Changed":
      return toBeRegistered(free, withdrawn, now)
    case "PaidOutside": {
      const { payday, value } = withdrawn
      return moved(state, { ...free, value, payday, status: "payExternal", ...changedAt(now) })
    }
    case "Reopened":
      return reopened(free, withdrawn, now)
    case "Waived":
      return moved(state, { ...free, status: "free", ...changedAt(now) })
  }
}

/** It was never sent: what stood before stands again. */
const givenUp = (state: TransactionState, attemptId: AttemptId, now: BusinessTime): Followed => {
  const events = [{ _tag: "AttemptGivenUp", transactionId: state.id, attemptId } as const]
  switch (state.status) {
    case "notSend": {
      const { lastSentAt: _, underWay: __, ...free } = state
      return { next: { ...free, updatedAt: now }, events }
    }
    case "denied": {
      const { underWay: _, ...free } = state
      return { next: { ...free, updatedAt: now }, events }
    }
    default:
      return undefined
  }
}

/** Withdrawn, and not registered yet with its other value or payday. */
const toBeRegistered = (
  state: Extract<TransactionState, { readonly status: "pendingBoleto" | "pendingPix" }>,
  { payday, value }: Pick<TransactionState, "payday" | "value">,
  now: BusinessTime
): Followed => {
  const { registration: _, ...free } = state
  const withdrawals = (free.withdrawals ?? 0) + 1
  return {
    next: { ...free, value, payday, withdrawals, updatedAt: now },
    events: [{ _tag: "TransactionEdited", transactionId: state.id }]
  }
}

/** Withdrawn, and asked for by another method; a registration that follows has a number of its own. */
const reopened = (
  state: Parameters<typeof toBeRegistered>[0],
  { cardId, creditCard, method, payday, value }: Extract<Withdrawn, { readonly _tag: "Reopened" }>,
  now: BusinessTime
): Followed => {
  const withdrawals = (state.withdrawals ?? 0) + 1
  const terms = { mainPaymentMethodId: method, cardId, creditCard, value }
  const other = byOtherMethod({ ...state, payday, withdrawals }, terms, { now, today: payday })
  // What it cannot become was refused before.
  if (Result.isFailure(other)) return undefined
  const { events, next } = moved(state, { ...other.success, updatedAt: now })
  return { next, events: [{ _tag: "TransactionEdited", transactionId: state.id }, ...events] }
}

const deniedForGood = (
  state: TransactionState,
  { id: attemptId, kind }: { readonly id: AttemptId; readonly kind: AttemptKind },
  { code, message }: FinalDenial,
  now: BusinessTime
): Followed => {
  const event = { _tag: "ProviderDenied", transactionId: state.id, attemptId, kind, code, message } as const
  const because = { code, message }
  switch (state.status) {
    case "pendingBoleto": {
      const { underWay: _, ...free } = state
      if (kind !== "register") return { next: { ...free, updatedAt: now }, events: [event] }
      const { events, next } = moved(state, {
        ...free,
        status: "notCompensated",
        registrationDenial: because,
        ...changedAt(now)
      })
      return { next, events: [event, ...events] }
    }
    case "pendingPix": {
      const { underWay: _, ...free } = state
      if (kind !== "register") return { next: { ...free, updatedAt: now }, events: [event] }
      const { events, next } = moved(state, {
        ...free,
        status: "unavailablePix",
        registrationDenial: because,
        ...changedAt(now)
      })
      return { next, events: [event, ...events] }
    }
    case "authorized":
    case "captured": {
      if (kind !== "reverse") return undefined
      const { underWay: _, ...free } = state
      return { next: { ...free, updatedAt: now }, events: [event] }
    }
    default:
      return undefined
  }
}
