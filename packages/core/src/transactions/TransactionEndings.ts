/**
 * Ends of an unpaid payment: cancelled, paid outside the service, waived.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allowCause, type Before, cancelledStatus, changedAt, changedStatus, openFor } from "./TransactionDecider.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import { startAttempt, type DecidedAttempt, type NewAttempt } from "./TransactionAttempts.ts"
import { type TransactionState, pendingAttemptOf } from "./TransactionState.ts"
import { nextStatuses } from "./TransactionStatus.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type DecidedEnding = Decided<TransactionState, "AttemptPending" | "TransactionCannot">

/**
 * Cancels one payment. The payment of a charge gets the status of a cancelled contract.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  cancelledStatus(state) === "cancelByContract"
    ? cancelByContract(state, now)
    : Result.map(openFor(state, "cancel"), (free) =>
        changedStatus(state, { ...withoutAttempt(free), status: "cancel", ...changedAt(now) })
      )

/**
 * Starts the cancellation of a registered boleto or Pix at its provider, so that it can no longer be paid. Unregistered
 * payments are cancelled by {@link cancel} without a call. `withdrawn` defines another state after the cancellation.
 *
 * @category decisions
 * @since 0.1.0
 */
export const startCancellation = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime,
  withdrawn?: Withdrawn
): DecidedAttempt<"AttemptPending" | "TransactionCannot" | "NotRegistered"> =>
  Result.gen(function* () {
    const pending = yield* allowCause(yield* allowCause(state, "cancel"), "deny")
    if (pending.registration === undefined) return yield* Result.fail(refuse({ _tag: "NotRegistered" }))
    return yield* startAttempt(pending, { ...attempt, kind: "cancel", value: pending.value, withdrawn }, now)
  })

/**
 * Cancels a payment together with its subscription or charge; {@link paymentsToCancel} selects the payments.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelByContract = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(openFor(state, "cancelContract"), (free) =>
    changedStatus(state, { ...withoutAttempt(free), status: "cancelByContract", ...changedAt(now) })
  )

/**
 * Marks a payment as paid outside the service, in cash or by transfer.
 *
 * @category decisions
 * @since 0.1.0
 */
export const payOutside = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(openFor(state, "payOutside"), (free) =>
    changedStatus(state, { ...withoutAttempt(free), status: "payExternal", ...changedAt(now) })
  )

/**
 * Waives a payment: nothing is owed any more.
 *
 * @category decisions
 * @since 0.1.0
 */
export const waive = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(openFor(state, "waive"), (free) =>
    changedStatus(state, { ...withoutAttempt(free), status: "free", ...changedAt(now) })
  )

/** `open` guarantees that no attempt is pending. This removes the absent key from the type. */
const withoutAttempt = (state: Before<"cancel">) => {
  const { pendingAttempt: _, ...others } = state
  return others
}

/**
 * The payments that the cancellation of their subscription ends.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentsToCancel {
  /** Payments to cancel now: {@link cancelByContract} succeeds for each. */
  readonly now: ReadonlyArray<TransactionState>
  /** Payments with a pending attempt, which may still be paid. Select again after their outcome. */
  readonly afterOutcome: ReadonlyArray<TransactionState>
}

/**
 * Selects the payments that the cancellation of a subscription ends. Authorized, paid, reversed and disputed payments
 * are not included.
 *
 * @category decisions
 * @since 0.1.0
 */
export const paymentsToCancel = (transactions: ReadonlyArray<TransactionState>): PaymentsToCancel => ({
  now: transactions.filter(
    (state) => pendingAttemptOf(state) === undefined && nextStatuses(state.status, "cancelContract").length > 0
  ),
  // After a reversal a payment is never open again.
  afterOutcome: transactions.filter((state) => {
    const pendingAttempt = pendingAttemptOf(state)
    return pendingAttempt !== undefined && pendingAttempt.kind !== "reverse"
  })
})
