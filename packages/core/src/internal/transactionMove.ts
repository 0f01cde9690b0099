/**
 * The steps that every decision about a transaction is made of.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { type TransactionState, underWayOf } from "../transactions/TransactionState.ts"
import { nextStatuses, type StatusBefore, type TransactionCause } from "../transactions/TransactionStatus.ts"

/**
 * A transaction whose status allows a cause.
 *
 * @category models
 * @since 0.1.0
 */
export type Before<C extends TransactionCause> = TransactionState & { readonly status: StatusBefore<C> }

/**
 * The transaction when no attempt is under way: until its outcome is known nothing else may change it, because the
 * money may have moved.
 *
 * @category steps
 * @since 0.1.0
 */
export const unhindered = <S extends TransactionState>(state: S): Result.Result<S, RefusedBy<"AttemptUnderWay">> =>
  underWayOf(state) === undefined ? Result.succeed(state) : Result.fail(refuse({ _tag: "AttemptUnderWay" }))

/**
 * Refuses a cause after which nothing can follow the transaction's status.
 *
 * @category steps
 * @since 0.1.0
 */
export const allows = <C extends TransactionCause>(
  state: TransactionState,
  cause: C
): Result.Result<Before<C>, RefusedBy<"TransactionCannot">> =>
  nextStatuses(state.status, cause).length > 0
    ? // Before<C> is read from the same table.
      Result.succeed(state as Before<C>)
    : Result.fail(refuse({ _tag: "TransactionCannot", cause, status: state.status }))

/**
 * The transaction when its status allows a cause and no attempt is under way.
 *
 * @category steps
 * @since 0.1.0
 */
export const open = <C extends TransactionCause>(
  state: TransactionState,
  cause: C
): Result.Result<Before<C>, RefusedBy<"AttemptUnderWay" | "TransactionCannot">> =>
  Result.flatMap(unhindered(state), (free) => allows(free, cause))

/**
 * What a change of status writes beside it.
 *
 * @category steps
 * @since 0.1.0
 */
export const changedAt = (now: BusinessTime) => ({ statusAt: now, updatedAt: now })

/**
 * The decision that `next` follows `state`. A second denial is an outcome, but no change of status.
 *
 * @category steps
 * @since 0.1.0
 */
export const moved = <S extends TransactionState>(state: TransactionState, next: S): Decision<S> => ({
  next,
  events:
    next.status === state.status
      ? []
      : [{ _tag: "TransactionStatusChanged", transactionId: state.id, from: state.status, to: next.status }]
})

/**
 * The status of a payment that was cancelled: a charge is cancelled with its one payment.
 *
 * @category steps
 * @since 0.1.0
 */
export const cancelledStatus = ({ owner }: Pick<TransactionState, "owner">): "cancel" | "cancelByContract" =>
  owner._tag === "Charge" ? "cancelByContract" : "cancel"
