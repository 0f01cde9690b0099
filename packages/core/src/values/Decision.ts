/**
 * What follows from a command: the next state and what to make known. A decision is pure; the caller
 * writes state, journal and outbox in one commit.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import type { RefusalTag, RefusedBy } from "../errors/BillingError.ts"
import type { BillingEvent } from "../webhooks/BillingEvent.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Decision<State> {
  readonly next: State
  readonly events: ReadonlyArray<BillingEvent>
}

/**
 * A decision, or why there is none: `Tags` are the refusals that it has.
 *
 * @category models
 * @since 0.1.0
 */
export type Decided<State, Tags extends RefusalTag = RefusalTag> = Result.Result<Decision<State>, RefusedBy<Tags>>
