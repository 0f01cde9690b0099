/**
 * Gives card money back, and takes note of money that the holder's bank took back.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type BillingError, refuse } from "./BillingError.ts"
import { Cents, zero } from "./Cents.ts"
import type { Decided } from "./Decision.ts"
import type { EpochMillis } from "./EpochMillis.ts"
import { allows, answered, move, unhindered } from "./internal/transactionMove.ts"
import type { ReverseTransaction } from "./ReverseTransaction.ts"
import { begin } from "./TransactionDecider.ts"
import type { AttemptId, TransactionState } from "./TransactionState.ts"

/**
 * Gives back all that is left of a charge, or a part of it.
 *
 * **Details**
 *
 * Parts add up in `reversed`. While something is left the transaction stays `captured`; once nothing is, it is
 * `reversed`. An amount that is only authorized is released whole.
 *
 * @category decisions
 * @since 0.1.0
 */
export const reverse = (
  state: TransactionState,
  command: ReverseTransaction,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.gen(function* () {
    const free = yield* unhindered(state)
    return yield* giveBack(free, yield* amountOf(free, command), now)
  })

/**
 * Puts a reversal under way, where it is allowed: the operator is asked only after this is committed, and
 * `reversing` says what for.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginReversal = (
  state: TransactionState,
  command: ReverseTransaction,
  attemptId: AttemptId,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.gen(function* () {
    const { events, next } = yield* begin(state, attemptId, now)
    return { next: { ...next, reversing: yield* amountOf(next, command) }, events }
  })

/**
 * What the card operator said of a reversal. An answer that was lost is not an outcome: the attempt stays under way.
 *
 * @category models
 * @since 0.1.0
 */
export type ReversalOutcome = "Reversed" | "Refused"

/**
 * Takes note of the operator's answer to the reversal under way. One that it refused leaves everything as it was.
 *
 * @category decisions
 * @since 0.1.0
 */
export const recordReversal = (
  state: TransactionState,
  attemptId: AttemptId,
  outcome: ReversalOutcome,
  now: EpochMillis
): Decided<TransactionState> =>
  Result.gen(function* () {
    const free = yield* answered(state, attemptId)
    if (state.reversing === undefined) return yield* Result.fail(refuse({ _tag: "AttemptUnknown" }))
    if (outcome === "Reversed") return yield* giveBack(free, state.reversing, now)
    return {
      next: { ...free, updatedAt: now },
      events: [{ _tag: "OperatorAnswered", transactionId: state.id, attemptId, outcome: "Denied" } as const]
    }
  })

/**
 * Takes note that the holder disputed a charge: the holder's bank takes the money back.
 *
 * @category decisions
 * @since 0.1.0
 */
export const dispute = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move(free, "dispute", "chargeback", now))

/**
 * What can still be given back.
 *
 * @category getters
 * @since 0.1.0
 */
export const leftToReverse = ({ reversed = zero, value }: Pick<TransactionState, "reversed" | "value">): Cents =>
  Cents.make(value - reversed)

const amountOf = (
  state: TransactionState,
  { valueToReverse }: ReverseTransaction
): Result.Result<Cents, BillingError> =>
  Result.flatMap(allows(state, "reverse"), () => {
    const left = leftToReverse(state)
    const asked = valueToReverse ?? left
    if (asked < 1 || asked > left) return Result.fail(refuse({ _tag: "ReversalOutOfRange", left }))
    return state.status === "authorized" && asked !== left
      ? Result.fail(refuse({ _tag: "AuthorizedInPart" }))
      : Result.succeed(asked)
  })

const giveBack = (state: TransactionState, value: Cents, now: EpochMillis): Decided<TransactionState> => {
  const left = Cents.make(leftToReverse(state) - value)
  const reversed = Cents.make(state.value - left)
  const given = { _tag: "TransactionReversed", transactionId: state.id, value } as const
  return Result.map(
    move({ ...state, reversed }, "reverse", left === 0 ? "reversed" : state.status, now),
    ({ events, next }) => ({
      // The status is as old as it was when it stays the same.
      next: left === 0 ? next : { ...next, statusAt: state.statusAt },
      events: [given, ...events]
    })
  )
}
