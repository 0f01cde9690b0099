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
import { unhindered, allows, changedAt, moved, open } from "./TransactionDecider.ts"
import { cardOf, type TransactionState, type UnderWay } from "./TransactionState.ts"
import type { CardBrandId } from "../cards/CardBrand.ts"
import type { CardDenied } from "./CardTransaction.ts"
import { historyOf, mayRetry } from "../attempts/CardRetryLimits.ts"

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

/**
 * Records that an authorized amount was captured.
 *
 * @category decisions
 * @since 0.1.0
 */
export const capture = (
  state: TransactionState,
  now: BusinessTime
): Decided<TransactionState, "AttemptUnderWay" | "TransactionCannot"> =>
  Result.map(open(state, "capture"), (authorized) => {
    const { underWay: _, ...free } = authorized
    return moved(state, { ...free, status: "captured", ...changedAt(now) })
  })

/**
 * Puts a capture under way, where there is something to capture: see `recordOutcome`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginCapture = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime
): DecidedAttempt<"AttemptUnderWay" | "TransactionCannot"> =>
  Result.flatMap(allows(state, "capture"), (allowed) =>
    begin(allowed, { ...attempt, kind: "capture", value: allowed.value }, now)
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

/**
 * Succeeds if the brand allows a retry of the denied charge at `at`, in business time.
 */
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
