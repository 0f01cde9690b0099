/**
 * The result of a command: the next state and the events. Decisions are pure; the caller writes state, journal and
 * outbox in one commit.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { isSameJson } from "../json/JsonChecks.ts"
import { type RefusedBy, refuse } from "../errors/BillingError.ts"
import type { BillingRefusal, RefusalTag } from "../errors/BillingRefusal.ts"
import type { BusinessTime } from "../time/Instant.ts"
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
 * A decision, or one of the refusals with these `Tags`.
 *
 * @category models
 * @since 0.1.0
 */
export type Decided<State, Tags extends RefusalTag> = Result.Result<Decision<State>, RefusedBy<Tags>>

/**
 * The decision for a changed entity: the new state with its event. If nothing changed, the old state without an event.
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
 * Refuses a `myId` that belongs to another entity of the company. `same` is the entity that has the `myId`.
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
