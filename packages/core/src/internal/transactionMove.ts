/**
 * Steps that all decisions about a transaction share.
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
 * Returns the transaction if no attempt is pending. Until the outcome of an attempt is known, no other change is
 * allowed, because money may have moved.
 *
 * @category steps
 * @since 0.1.0
 */
export const unhindered = <S extends TransactionState>(state: S): Result.Result<S, RefusedBy<"AttemptUnderWay">> =>
  underWayOf(state) === undefined ? Result.succeed(state) : Result.fail(refuse({ _tag: "AttemptUnderWay" }))

/**
 * Refuses a cause that the transaction's status does not allow.
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
 * Returns the transaction if its status allows the cause and no attempt is pending.
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
 * The timestamps of a status change.
 *
 * @category steps
 * @since 0.1.0
 */
export const changedAt = (now: BusinessTime) => ({ statusAt: now, updatedAt: now })

/**
 * The decision to change `state` to `next`. The event is omitted if the status stays the same, as after a second
 * denial.
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
 * The status of a cancelled payment. A charge is cancelled together with its only payment.
 *
 * @category steps
 * @since 0.1.0
 */
export const cancelledStatus = ({ owner }: Pick<TransactionState, "owner">): "cancel" | "cancelByContract" =>
  owner._tag === "Charge" ? "cancelByContract" : "cancel"
