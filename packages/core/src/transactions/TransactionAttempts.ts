/**
 * Attempts at a provider: charge, capture and registration. Each attempt is committed before the provider is called.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Attempt, AttemptKind, AttemptProvider, AttemptId } from "../attempts/Attempt.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { BillingRefusal } from "../errors/BillingRefusal.ts"
import type { Decision, Decided } from "../values/Decision.ts"
import { type BusinessTime, type MachineTime, fromEpochMillis } from "../time/Instant.ts"
import { withoutPendingAttempt, allowCause, changedAt, changedStatus, openFor } from "./TransactionDecider.ts"
import { cardOf, type TransactionState, type PendingAttempt } from "./TransactionState.ts"
import type { CardBrandId } from "../cards/CardBrand.ts"
import type { CardDenied } from "./CardTransaction.ts"
import { historyOf, mayRetry } from "../attempts/CardRetryLimits.ts"

/**
 * Identifier and start of a new attempt.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewAttempt {
  readonly attemptId: AttemptId
  /** Machine time. */
  readonly startedAt: MachineTime
}

/**
 * A decision that starts an attempt. The transaction and the attempt are committed before the provider is called.
 *
 * @category models
 * @since 0.1.0
 */
export interface StartedAttempt extends Decision<TransactionState> {
  readonly attempt: Attempt
}

/**
 * @category models
 * @since 0.1.0
 */
export type DecidedAttempt<T extends BillingRefusal["_tag"]> = Result.Result<StartedAttempt, RefusedBy<T>>

/** The kinds of attempt that a transaction may have, by method and status. */
type PendingAttemptIn<S> = S extends { readonly pendingAttempt?: infer U } ? NonNullable<U> : never

/** A transaction for which this kind of attempt may be started. */
type Startable<K extends AttemptKind> = TransactionState extends infer S
  ? S extends TransactionState
    ? K extends PendingAttemptIn<S>["kind"]
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
 * Starts an attempt. Commit the result before calling the provider.
 *
 * @category decisions
 * @since 0.1.0
 */
export const startAttempt = <K extends AttemptKind>(
  state: Startable<K>,
  {
    attemptId,
    kind,
    startedAt,
    value,
    withdrawn
  }: NewAttempt &
    Pick<PendingAttempt, "value"> & { readonly kind: K; readonly withdrawn?: PendingAttempt["withdrawn"] | undefined },
  now: BusinessTime
): DecidedAttempt<"AttemptPending"> =>
  Result.map(withoutPendingAttempt<TransactionState>(state), () => {
    const pendingAttempt: PendingAttempt = { attemptId, kind, value, ...(withdrawn === undefined ? {} : { withdrawn }) }
    const cardId = cardOf(state)
    return {
      // `Startable` guarantees that a transaction of this status may have this kind of attempt.
      next: {
        ...state,
        pendingAttempt,
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
): DecidedAttempt<"AttemptPending" | "CardMissing"> =>
  state.cardId === undefined
    ? Result.fail(refuse({ _tag: "CardMissing" }))
    : startAttempt(state, { ...attempt, kind: "charge", value: state.value }, now)

/**
 * Starts the first attempt of a payment: charges a card, or registers a boleto or a Pix.
 *
 * @category decisions
 * @since 0.1.0
 */
export const send = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime
): DecidedAttempt<"AttemptPending" | "CardMissing" | "NotRetriable"> => {
  switch (state.status) {
    case "notSend":
      return firstCharge(state, attempt, now)
    case "pendingBoleto":
    case "pendingPix":
      return state.registration === undefined
        ? startAttempt(state, { ...attempt, kind: "register", value: state.value }, now)
        : Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
    default:
      return Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
  }
}

/**
 * Retries a card payment (interface section 4.3) that is `denied`, `notSend` or `authorized`, if no attempt is pending.
 * An authorized amount is captured: a second authorization would hold the amount twice.
 *
 * **Details**
 *
 * Nothing shows that services of this family consider the denial code, so only the status decides. With `history`, a
 * denied charge must also be within the limits of the card brand (see `CardRetryLimits`).
 *
 * @category decisions
 * @since 0.1.0
 */
export const retry = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime,
  history?: BrandHistory
): DecidedAttempt<"NotRetriable" | "AttemptPending" | "CardMissing" | "RetryTooEarly" | "RetryNever"> => {
  switch (state.status) {
    case "notSend":
      return firstCharge(state, attempt, now)
    case "authorized":
      return startAttempt(state, { ...attempt, kind: "capture", value: state.value }, now)
    case "denied":
      return Result.flatMap(startAttempt(state, { ...attempt, kind: "charge", value: state.value }, now), (started) =>
        history === undefined
          ? Result.succeed(started)
          : Result.map(withinBrandLimits(state, history, now), () => started)
      )
    default:
      return Result.fail(refuse({ _tag: "NotRetriable", status: state.status }))
  }
}

/**
 * Marks an authorized amount as captured.
 *
 * @category decisions
 * @since 0.1.0
 */
export const capture = (
  state: TransactionState,
  now: BusinessTime
): Decided<TransactionState, "AttemptPending" | "TransactionCannot"> =>
  Result.map(openFor(state, "capture"), (authorized) => {
    const { pendingAttempt: _, ...free } = authorized
    return changedStatus(state, { ...free, status: "captured", ...changedAt(now) })
  })

/**
 * Starts the capture of an authorized amount.
 *
 * @category decisions
 * @since 0.1.0
 */
export const startCapture = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime
): DecidedAttempt<"AttemptPending" | "TransactionCannot"> =>
  Result.flatMap(allowCause(state, "capture"), (allowed) =>
    startAttempt(allowed, { ...attempt, kind: "capture", value: allowed.value }, now)
  )

/**
 * The card's brand and attempts, from which its retry limits follow.
 *
 * @category models
 * @since 0.1.0
 */
export interface BrandHistory {
  readonly brand: CardBrandId
  /** All attempts with this card (number and expiry) at this merchant, in any order. */
  readonly attempts: ReadonlyArray<Attempt>
}

/** Succeeds if the brand allows a retry of the denied charge at `at`, in business time. */
const withinBrandLimits = (
  { denial, value }: typeof CardDenied.Type,
  { attempts, brand }: BrandHistory,
  at: BusinessTime
): Result.Result<void, RefusedBy<"RetryTooEarly" | "RetryNever">> => {
  const decision = mayRetry({ brand, ...historyOf(attempts), code: denial.code, value, now: at })
  switch (decision._tag) {
    case "Allowed":
      return Result.void
    case "NotBefore":
      return Result.fail(
        refuse({ _tag: "RetryTooEarly", notBefore: fromEpochMillis(decision.at), reason: decision.reason })
      )
    case "Never":
      return Result.fail(refuse({ _tag: "RetryNever", reason: decision.reason }))
  }
}
