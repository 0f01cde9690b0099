/**
 * Takes an amount that a card operator holds: the second half of a payment that was only authorized.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Decided } from "./Decision.ts"
import type { EpochMillis } from "./EpochMillis.ts"
import { allows, move, unhindered } from "./internal/transactionMove.ts"
import { begin } from "./TransactionDecider.ts"
import type { AttemptId, TransactionState } from "./TransactionState.ts"

/**
 * Takes note that an authorized amount was captured.
 *
 * @category decisions
 * @since 0.1.0
 */
export const capture = (state: TransactionState, now: EpochMillis): Decided<TransactionState> =>
  Result.flatMap(unhindered(state), (free) => move(free, "capture", "captured", now))

/**
 * Puts a capture under way, where there is something to capture. Its outcome is recorded as that of any other
 * attempt: see `recordOutcome`.
 *
 * @category decisions
 * @since 0.1.0
 */
export const beginCapture = (
  state: TransactionState,
  attemptId: AttemptId,
  now: EpochMillis
): Decided<TransactionState> => Result.flatMap(allows(state, "capture"), (allowed) => begin(allowed, attemptId, now))
