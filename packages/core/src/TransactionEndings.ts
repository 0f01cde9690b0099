/**
 * Ends a payment that nobody has made yet. What ends it decides its status.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Decided } from "./Decision.ts"
import type { EpochMillis } from "./EpochMillis.ts"
import { move, unhindered } from "./internal/transactionMove.ts"
import type { TransactionState } from "./TransactionState.ts"
import { nextStatuses } from "./TransactionStatus.ts"

/**
 * Cancels this payment alone.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancel = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move(free, "cancel", "cancel", now))

/**
 * Cancels a payment because its subscription was cancelled; {@link openOf} chooses which.
 *
 * @category decisions
 * @since 0.1.0
 */
export const cancelByContract = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move(free, "cancelContract", "cancelByContract", now))

/**
 * Takes note that it was paid outside the service, in cash or by transfer.
 *
 * @category decisions
 * @since 0.1.0
 */
export const payOutside = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move({ ...free, payedOutside: true }, "payOutside", "payExternal", now))

/**
 * Waives it: nothing is owed any more.
 *
 * @category decisions
 * @since 0.1.0
 */
export const exempt = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move(free, "exempt", "free", now))

/**
 * The payments that end when their subscription is cancelled.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenTransactions {
  /** To be cancelled with it: {@link cancelByContract} succeeds for each. */
  readonly now: ReadonlyArray<TransactionState>
  /** Under way: they may be paid yet. Choose again once they are answered. */
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
    ({ attemptId, status }) => attemptId === undefined && nextStatuses(status, "cancelContract").length > 0
  ),
  // A reversal under way does not open a payment again.
  onceAnswered: transactions.filter(({ attemptId, reversing }) => attemptId !== undefined && reversing === undefined)
})
