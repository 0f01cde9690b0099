/**
 * The stored plan, the commands on it, and the plan that a subscription or a charge refers to.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { BusinessTime } from "../time/Instant.ts"
import { ActiveStatus } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Periodicity, type CreatePlan, type EditPlan } from "./Plan.ts"
import * as Result from "effect/Result"
import { changedTo, type Decided, freeMyId } from "../values/Decision.ts"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"

/**
 * A plan of one company; times in milliseconds since 1970. `quantity` counts payments, 0 is without end. There is at most
 * one price for a payment method and a number of instalments; one without `installment` is for any number.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: Schema.optionalKey(MyId),
  name: Schema.String,
  periodicity: Periodicity,
  quantity: Schema.Int,
  additionalInfo: Schema.optionalKey(Schema.String),
  prices: Schema.Array(
    Schema.Struct({ payment: PaymentMethodId, value: Cents, installment: Schema.optionalKey(Schema.Int) })
  ),
  status: ActiveStatus,
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type PlanState = typeof PlanState.Type

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

/**
 * The plan that a request names, by either identifier or both.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlanNames {
  readonly planSvcPayId?: SvcPayId | undefined
  readonly planMyId?: MyId | undefined
}

/**
 * The plans that it may mean.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundPlans {
  readonly bySvcPayId: PlanState | undefined
  readonly byMyId: PlanState | undefined
}

/**
 * The plan that is meant; undefined when none is named.
 *
 * @category decisions
 * @since 0.1.0
 */
export const namedPlan = (
  { planMyId, planSvcPayId }: PlanNames,
  { byMyId, bySvcPayId }: FoundPlans
): Result.Result<PlanState | undefined, RefusedBy<"PlanNotFound">> => {
  if (planSvcPayId === undefined && planMyId === undefined) return Result.succeed(undefined)
  if (planSvcPayId !== undefined && bySvcPayId === undefined) {
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "svcPayId" }))
  }
  if (planMyId !== undefined && byMyId === undefined)
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "myId" }))
  if (bySvcPayId !== undefined && byMyId !== undefined && bySvcPayId.id !== byMyId.id) {
    // No plan has both.
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "myId" }))
  }
  return Result.succeed(bySvcPayId ?? byMyId)
}

/**
 * The plan that a subscription is to have: one that is inactive takes no more of them.
 *
 * @category decisions
 * @since 0.1.0
 */
export const planOf = (
  names: PlanNames,
  plans: FoundPlans
): Result.Result<PlanState | undefined, RefusedBy<"PlanInactive" | "PlanNotFound">> =>
  Result.flatMap(namedPlan(names, plans), (plan) =>
    plan?.status === "inactive" ? Result.fail(refuse({ _tag: "PlanInactive" })) : Result.succeed(plan)
  )

/**
 * What a plan costs by a payment method. A price for a number of card instalments counts where there is no other.
 *
 * @category getters
 * @since 0.1.0
 */
export const priceOf = ({ prices }: PlanState, method: PaymentMethodId): Cents | undefined => {
  const all = prices.filter(({ payment }) => payment === method)
  return (all.find(({ installment }) => installment === undefined || installment === 1) ?? all[0])?.value
}
