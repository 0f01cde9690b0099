/**
 * Ends a payment that has not been made yet. What ends it decides its status.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse } from "../errors/BillingError.ts"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allows, type Before, cancelledStatus, changedAt, moved, open } from "./TransactionDecider.ts"
import type { Withdrawn } from "./TransactionFields.ts"
import { begin, type DecidedAttempt, type NewAttempt } from "./TransactionAttempts.ts"
import { type TransactionState, underWayOf } from "./TransactionState.ts"
import { nextStatuses } from "./TransactionStatus.ts"

/**
 * @category models
 * @since 0.1.0
 */
export type DecidedEnding = Decided<TransactionState, "AttemptUnderWay" | "TransactionCannot">

/**
 * Cancels this payment alone; the one of a charge is cancelled with its charge.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  cancelledStatus(state) === "cancelByContract"
    ? cancelByContract(state, now)
    : Result.map(open(state, "cancel"), (free) =>
        moved(state, { ...payable(free), status: "cancel", ...changedAt(now) })
      )

/**
 * Puts the cancellation of a boleto or a Pix under way, where its provider knows it: it must not be paid any more. What
 * no provider knows is cancelled at once, by {@link cancel}. `withdrawn` says what it becomes instead of cancelled.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginCancellation = (
  state: TransactionState,
  attempt: NewAttempt,
  now: BusinessTime,
  withdrawn?: Withdrawn
): DecidedAttempt<"AttemptUnderWay" | "TransactionCannot" | "NotRegistered"> =>
  Result.gen(function* () {
    const pending = yield* allows(yield* allows(state, "cancel"), "deny")
    if (pending.registration === undefined) return yield* Result.fail(refuse({ _tag: "NotRegistered" }))
    return yield* begin(pending, { ...attempt, kind: "cancel", value: pending.value, withdrawn }, now)
  })

/**
 * Cancels a payment because its subscription or its charge is cancelled; {@link openOf} chooses which.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelByContract = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(open(state, "cancelContract"), (free) =>
    moved(state, { ...payable(free), status: "cancelByContract", ...changedAt(now) })
  )

/**
 * Records that it was paid outside the service, in cash or by transfer.
 *
 * @category decisions
 * @since 0.1.0
 */
export const payOutside = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(open(state, "payOutside"), (free) =>
    moved(state, { ...payable(free), status: "payExternal", ...changedAt(now) })
  )

/**
 * Waives it: nothing is owed any more.
 *
 * @category decisions
 * @since 0.1.0
 */
export const waive = (state: TransactionState, now: BusinessTime): DecidedEnding =>
  Result.map(open(state, "waive"), (free) => moved(state, { ...payable(free), status: "free", ...changedAt(now) }))

/** What may be ended is not under way, so the key is not there: it is taken off for the type. */
const payable = (state: Before<"cancel">) => {
  const { underWay: _, ...rest } = state
  return rest
}

/**
 * The payments that end when their subscription is cancelled.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenTransactions {
  /** To be cancelled with it: {@link cancelByContract} succeeds for each. */
  readonly now: ReadonlyArray<TransactionState>
  /** Under way: they may be paid yet. Choose again once they have an outcome. */
  readonly onceAnswered: ReadonlyArray<TransactionState>
}

/**
 * Chooses, among a subscription's transactions, those that its cancellation ends. Money that was authorized, paid,
 * given back or disputed is not touched.
 *
 * @category decisions
 * @since 0.1.0
 */
export const openOf = (transactions: ReadonlyArray<TransactionState>): OpenTransactions => ({
  now: transactions.filter(
    (state) => underWayOf(state) === undefined && nextStatuses(state.status, "cancelContract").length > 0
  ),
  // A reversal under way does not open a payment again.
  onceAnswered: transactions.filter((state) => {
    const underWay = underWayOf(state)
    return underWay !== undefined && underWay.kind !== "reverse"
  })
})
