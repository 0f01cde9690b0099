/**
 * Gives card money back, and records money that the holder's bank took back.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { RefusalOf } from "../errors/BillingRefusal.ts"
import { Cents } from "../money/Cents.ts"
import type { Decided, Decision } from "../values/Decision.ts"
import type { BusinessTime } from "../time/Instant.ts"
import { allows, type Before, changedAt, moved, open } from "./TransactionDecider.ts"
import type { ReverseTransaction } from "./PaymentRequests.ts"
import { begin, type DecidedAttempt, type NewAttempt } from "./TransactionAttempts.ts"
import { reversedOf, type TransactionState } from "./TransactionState.ts"

/** Whose field a refusal is about: that of the entity which the request names. */
type AskedEntity = RefusalOf<"ReversalOutOfRange">["entity"]

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
  now: BusinessTime,
  entity: AskedEntity = "Transaction"
): Decided<TransactionState, "AttemptUnderWay" | "TransactionCannot" | "ReversalOutOfRange" | "AuthorizedInPart"> =>
  Result.flatMap(open(state, "reverse"), (free) =>
    Result.map(amountOf(free, command, entity), (value) => giveBack(free, value, now))
  )

/**
 * Puts a reversal under way, where it is allowed: the operator is asked only after this is committed.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginReversal = (
  state: TransactionState,
  command: ReverseTransaction,
  attempt: NewAttempt,
  now: BusinessTime,
  entity: AskedEntity = "Transaction"
): DecidedAttempt<"AttemptUnderWay" | "TransactionCannot" | "ReversalOutOfRange" | "AuthorizedInPart"> =>
  Result.flatMap(allows(state, "reverse"), (allowed) =>
    Result.flatMap(amountOf(allowed, command, entity), (value) =>
      begin(allowed, { ...attempt, kind: "reverse", value }, now)
    )
  )

/**
 * Records that the holder disputed a charge: the holder's bank takes the money back. `process` is the operator's name of the
 * dispute; one that is recorded already changes nothing and makes nothing known, however often it comes.
 *
 * @category decisions
 * @since 0.1.0
 */
export const dispute = (
  state: TransactionState,
  process: string,
  now: BusinessTime
): Decided<TransactionState, "AttemptUnderWay" | "TransactionCannot"> => {
  if (state.status === "chargeback" && state.dispute?.process === process) {
    return Result.succeed({ next: state, events: [] })
  }
  return Result.map(open(state, "dispute"), (captured) => {
    const { underWay: _, ...free } = captured
    const opened = { ...free, status: "chargeback", dispute: { process, at: now }, ...changedAt(now) } as const
    const { events, next } = moved(state, opened)
    return { next, events: [...events, { _tag: "ChargebackOpened", transactionId: state.id, process }] }
  })
}

/**
 * What can still be given back.
 *
 * @category getters
 * @since 0.1.0
 */
export const leftToReverse = (state: TransactionState): Cents => Cents.make(state.value - reversedOf(state))

const amountOf = (
  state: Before<"reverse">,
  { valueToReverse }: ReverseTransaction,
  entity: AskedEntity
): Result.Result<Cents, RefusedBy<"ReversalOutOfRange" | "AuthorizedInPart">> => {
  const left = leftToReverse(state)
  const asked = valueToReverse ?? left
  if (asked < 1 || asked > left) return Result.fail(refuse({ _tag: "ReversalOutOfRange", entity, left }))
  return state.status === "authorized" && asked !== left
    ? Result.fail(refuse({ _tag: "AuthorizedInPart", entity }))
    : Result.succeed(asked)
}

/**
 * The decision that follows once an amount was given back.
 *
 * @category steps
 * @since 0.1.0
 */
export const giveBack = (state: Before<"reverse">, value: Cents, now: BusinessTime): Decision<TransactionState> => {
  const reversed = Cents.make(reversedOf(state) + value)
  const { underWay: _, ...free } = state
  const given = { _tag: "TransactionReversed", transactionId: state.id, value } as const
  if (free.status === "captured" && reversed < free.value) {
    // The status is as old as it was, since it stays the same.
    return { next: { ...free, reversed, updatedAt: now }, events: [given] }
  }
  const { events, next } = moved(state, { ...whole(free), status: "reversed", ...changedAt(now) })
  return { next, events: [given, ...events] }
}

/** Without the part that was given back: a reversed transaction was given back whole. */
const whole = <S extends object>(state: S & { readonly reversed?: Cents }) => {
  const { reversed: _, ...rest } = state
  return rest
}
