/**
 * The steps that every decision about a transaction is made of.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type BillingError, refuse } from "../BillingError.ts"
import type { Decided } from "../Decision.ts"
import type { EpochMillis } from "../EpochMillis.ts"
import type { AttemptId, TransactionState } from "../TransactionState.ts"
import { nextStatuses, type TransactionCause, type TransactionStatus } from "../TransactionStatus.ts"

/**
 * The transaction when no attempt is under way: until its outcome is known nothing else may change it, because the
 * money may have moved.
 *
 * @category steps
 * @since 0.1.0
 */
export const unhindered = (state: TransactionState): Result.Result<TransactionState, BillingError> =>
  state.attemptId === undefined ? Result.succeed(state) : Result.fail(refuse({ _tag: "AttemptUnderWay" }))

/**
 * The transaction without the attempt whose outcome came in.
 *
 * @category steps
 * @since 0.1.0
 */
export const answered = (
  state: TransactionState,
  attemptId: AttemptId
): Result.Result<TransactionState, BillingError> => {
  const { attemptId: underWay, reversing: _, ...rest } = state
  return underWay === attemptId ? Result.succeed(rest) : Result.fail(refuse({ _tag: "AttemptUnknown" }))
}

/**
 * Refuses a cause after which nothing can follow the transaction's status.
 *
 * @category steps
 * @since 0.1.0
 */
export const allows = (
  state: TransactionState,
  cause: TransactionCause
): Result.Result<TransactionState, BillingError> =>
  nextStatuses(state.status, cause).length > 0
    ? Result.succeed(state)
    : Result.fail(refuse({ _tag: "TransactionCannot", cause, status: state.status }))

/**
 * Moves a transaction along its transition table.
 *
 * @category steps
 * @since 0.1.0
 */
export const move = (
  state: TransactionState,
  cause: TransactionCause,
  to: TransactionStatus,
  now: EpochMillis
): Decided<TransactionState> =>
  nextStatuses(state.status, cause).includes(to)
    ? Result.succeed({
        next: { ...state, status: to, statusAt: now, updatedAt: now },
        // A second denial is an answer, but no change of status.
        events:
          to === state.status
            ? []
            : [{ _tag: "TransactionStatusChanged", transactionId: state.id, from: state.status, to }]
      })
    : Result.fail(refuse({ _tag: "TransactionCannot", cause, status: state.status }))
