/**
 * Takes an amount that a card operator holds: the second half of a payment that was only authorized.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Decided } from "../values/Decision.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { allows, changedAt, moved, open } from "../internal/transactionMove.ts"
import { begin, type DecidedAttempt, type NewAttempt } from "./TransactionDecider.ts"
import type { TransactionState } from "./TransactionState.ts"

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
