/**
 * What follows from a command: the next state and what to make known. A decision is pure; the caller
 * writes state, journal and outbox in one commit.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { type RefusedBy, refuse } from "../errors/BillingError.ts"
import type { BillingRefusal, RefusalTag } from "../errors/BillingRefusal.ts"
import { isSameJson } from "../json/SameJson.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import type { BillingEvent } from "../webhooks/BillingEvent.ts"
import type { MyId, SvcPayId } from "./Identifier.ts"

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
export type Decided<State, Tags extends RefusalTag> = Result.Result<Decision<State>, RefusedBy<Tags>>

/**
 * The state from now on, made known by an event; nothing follows when nothing differs.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changedTo = <State extends { readonly updatedAt: BusinessTime }>(
  before: State,
  changed: State,
  now: BusinessTime,
  event: BillingEvent
): Decision<State> =>
  isSameJson(changed, before) ? { next: before, events: [] } : { next: { ...changed, updatedAt: now }, events: [event] }

/**
 * Refuses a `myId` that another entity of the company has; `same` is the one that was found by it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const freeMyId = (
  entity: Extract<BillingRefusal, { readonly _tag: "MyIdTaken" }>["entity"],
  same: { readonly id: SvcPayId; readonly myId?: MyId } | undefined,
  id: SvcPayId
): Result.Result<void, RefusedBy<"MyIdTaken">> =>
  same?.myId === undefined || same.id === id
    ? Result.void
    : Result.fail(refuse({ _tag: "MyIdTaken", entity, myId: same.myId }))
