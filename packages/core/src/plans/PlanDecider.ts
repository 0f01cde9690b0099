/**
 * What becomes of a plan that is created, edited or deactivated.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { CompanyId } from "../companies/CompanyState.ts"
import type { BusinessTime } from "../time/BusinessTime.ts"
import { changedTo, type Decided, freeMyId } from "../values/Decision.ts"
import type { SvcPayId } from "../values/Identifier.ts"
import type { CreatePlan, EditPlan } from "./PlanInput.ts"
import type { PlanState } from "./PlanState.ts"

/**
 * The plan of the company that has the request's `myId`, if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownPlan {
  readonly sameMyId: PlanState | undefined
}

/**
 * @category decisions
 * @since 0.1.0
 */
export const createPlan = (
  { PlanPrices: prices, ...said }: CreatePlan,
  { sameMyId }: KnownPlan,
  { now, ...own }: { readonly companyId: CompanyId; readonly id: SvcPayId; readonly now: BusinessTime }
): Decided<PlanState, "MyIdTaken"> =>
  Result.map(freeMyId("Plan", sameMyId, own.id), () => ({
    next: { ...own, ...said, prices, status: "active", createdAt: now, updatedAt: now },
    events: [{ _tag: "PlanCreated", planId: own.id }]
  }))

/**
 * Edits a plan. A deactivated one can be edited too, and activated again.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editPlan = (
  plan: PlanState,
  { PlanPrices: prices = plan.prices, ...changes }: EditPlan,
  { now, sameMyId }: KnownPlan & { readonly now: BusinessTime }
): Decided<PlanState, "MyIdTaken"> =>
  Result.map(freeMyId("Plan", sameMyId, plan.id), () => {
    const next = { ...plan, ...changes, prices }
    const isDeactivated = next.status === "inactive" && plan.status === "active"
    return changedTo(plan, next, now, { _tag: isDeactivated ? "PlanDeactivated" : "PlanUpdated", planId: plan.id })
  })
