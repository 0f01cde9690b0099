/**
 * Reversals and disputes of card payments.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { Cents } from "../money/Cents.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allowCause, type Before, changedAt, changedStatus, openFor } from "./TransactionDecider.ts"
import type { ReverseTransaction } from "./PaymentRequests.ts"
import { startAttempt, type DecidedAttempt, type NewAttempt } from "./TransactionAttempts.ts"
import { reversedOf, type TransactionState } from "./TransactionState.ts"

/** The entity that the request names; a refusal names its field. */
type RequestedEntity = RefusalOf<"ReversalOutOfRange">["entity"]

/**
 * Reverses a charge: the whole remaining amount, or a part.
 *
 * **Details**
 *
 * `reversed` is the sum of all parts. The status is `captured` while an amount remains, then `reversed`. An amount that
 * is only authorized can only be released as a whole.
 *
 * @category decisions
 * @since 0.1.0
 */
export const reverse = (
  state: TransactionState,
  command: ReverseTransaction,
  now: BusinessTime,
  entity: RequestedEntity = "Transaction"
): Decided<TransactionState, "AttemptPending" | "TransactionCannot" | "ReversalOutOfRange" | "AuthorizedInPart"> =>
  Result.flatMap(openFor(state, "reverse"), (free) =>
    Result.map(amountOf(free, command, entity), (value) => reverseAmount(free, value, now))
  )

/**
 * Starts a reversal at the card operator.
 *
 * @category decisions
 * @since 0.1.0
 */
export const startReversal = (
  state: TransactionState,
  command: ReverseTransaction,
  attempt: NewAttempt,
  now: BusinessTime,
  entity: RequestedEntity = "Transaction"
): DecidedAttempt<"AttemptPending" | "TransactionCannot" | "ReversalOutOfRange" | "AuthorizedInPart"> =>
  Result.flatMap(allowCause(state, "reverse"), (allowed) =>
    Result.flatMap(amountOf(allowed, command, entity), (value) =>
      startAttempt(allowed, { ...attempt, kind: "reverse", value }, now)
    )
  )

/**
 * Records a dispute: the cardholder's bank takes the money back. `process` is the operator's identifier of the dispute.
 * A dispute that is already recorded changes nothing and has no events.
 *
 * @category decisions
 * @since 0.1.0
 */
export const dispute = (
  state: TransactionState,
  process: string,
  now: BusinessTime
): Decided<TransactionState, "AttemptPending" | "TransactionCannot"> => {
  if (state.status === "chargeback" && state.dispute?.process === process) {
    return Result.succeed({ next: state, events: [] })
  }
  return Result.map(openFor(state, "dispute"), (captured) => {
    const { pendingAttempt: _, ...free } = captured
    const opened = { ...free, status: "chargeback", dispute: { process, at: now }, ...changedAt(now) } as const
    const { events, next } = changedStatus(state, opened)
    return { next, events: [...events, { _tag: "ChargebackOpened", transactionId: state.id, process }] }
  })
}

/**
 * The amount that can still be reversed, in cents.
 *
 * @category getters
 * @since 0.1.0
 */
export const reversibleAmount = (state: TransactionState): Cents => Cents.make(state.value - reversedOf(state))

const amountOf = (
  state: Before<"reverse">,
  { valueToReverse }: ReverseTransaction,
  entity: RequestedEntity
): Result.Result<Cents, RefusedBy<"ReversalOutOfRange" | "AuthorizedInPart">> => {
  const left = reversibleAmount(state)
  const amount = valueToReverse ?? left
  if (amount < 1 || amount > left) return Result.fail(refuse({ _tag: "ReversalOutOfRange", entity, left }))
  return state.status === "authorized" && amount !== left
    ? Result.fail(refuse({ _tag: "AuthorizedInPart", entity }))
    : Result.succeed(amount)
}

/**
 * The transaction after an amount was reversed.
 *
 * @category steps
 * @since 0.1.0
 */
export const reverseAmount = (
  state: Before<"reverse">,
  value: Cents,
  now: BusinessTime
): Decision<TransactionState> => {
  const reversed = Cents.make(reversedOf(state) + value)
  const { pendingAttempt: _, ...free } = state
  const event = { _tag: "TransactionReversed", transactionId: state.id, value } as const
  if (free.status === "captured" && reversed < free.value) {
    // `statusAt` stays, because the status stays.
    return { next: { ...free, reversed, updatedAt: now }, events: [event] }
  }
  const { events, next } = changedStatus(state, { ...withoutPart(free), status: "reversed", ...changedAt(now) })
  return { next, events: [event, ...events] }
}

/** Removes the partial amount: a reversed transaction was reversed as a whole. */
const withoutPart = <S extends object>(state: S & { readonly reversed?: Cents }) => {
  const { reversed: _, ...others } = state
  return others
}
