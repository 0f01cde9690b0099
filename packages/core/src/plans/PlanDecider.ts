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
 * A plan of one company. Times are in milliseconds since 1970. `quantity` is the number of payments; 0 means without
 * end. Each payment method and number of card instalments has at most one price. A price without `installment` applies
 * to any number.
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
 * The company's plan with the `myId` of the request, if there is one.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlanContext {
  readonly sameMyId: PlanState | undefined
}

/**
 * @category decisions
 * @since 0.1.0
 */
export const createPlan = (
  { PlanPrices: prices, ...fields }: CreatePlan,
  { sameMyId }: PlanContext,
  { now, ...own }: { readonly companyId: CompanyId; readonly id: SvcPayId; readonly now: BusinessTime }
): Decided<PlanState, "MyIdTaken"> =>
  Result.map(freeMyId("Plan", sameMyId, own.id), () => ({
    next: { ...own, ...fields, prices, status: "active", createdAt: now, updatedAt: now },
    events: [{ _tag: "PlanCreated", planId: own.id }]
  }))

/**
 * Edits a plan, also a deactivated one. An edit can activate it again.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editPlan = (
  plan: PlanState,
  { PlanPrices: prices = plan.prices, ...changes }: EditPlan,
  { now, sameMyId }: PlanContext & { readonly now: BusinessTime }
): Decided<PlanState, "MyIdTaken"> =>
  Result.map(freeMyId("Plan", sameMyId, plan.id), () => {
    const next = { ...plan, ...changes, prices }
    const isDeactivated = next.status === "inactive" && plan.status === "active"
    return changedTo(plan, next, now, { _tag: isDeactivated ? "PlanDeactivated" : "PlanUpdated", planId: plan.id })
  })

/**
 * The plan identifiers of a request: either or both.
 *
 * @category models
 * @since 0.1.0
 */
export interface PlanNames {
  readonly planSvcPayId?: SvcPayId | undefined
  readonly planMyId?: MyId | undefined
}

/**
 * The plans with these identifiers, if they exist.
 *
 * @category models
 * @since 0.1.0
 */
export interface LoadedPlans {
  readonly bySvcPayId: PlanState | undefined
  readonly byMyId: PlanState | undefined
}

/**
 * The plan of a request; undefined if the request has no plan identifier.
 *
 * @category decisions
 * @since 0.1.0
 */
export const requestedPlan = (
  { planMyId, planSvcPayId }: PlanNames,
  { byMyId, bySvcPayId }: LoadedPlans
): Result.Result<PlanState | undefined, RefusedBy<"PlanNotFound">> => {
  if (planSvcPayId === undefined && planMyId === undefined) return Result.succeed(undefined)
  if (planSvcPayId !== undefined && bySvcPayId === undefined) {
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "svcPayId" }))
  }
  if (planMyId !== undefined && byMyId === undefined)
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "myId" }))
  if (bySvcPayId !== undefined && byMyId !== undefined && bySvcPayId.id !== byMyId.id) {
    // The two identifiers belong to different plans.
    return Result.fail(refuse({ _tag: "PlanNotFound", typeId: "myId" }))
  }
  return Result.succeed(bySvcPayId ?? byMyId)
}

/**
 * The plan of a new subscription. An inactive plan is refused.
 *
 * @category decisions
 * @since 0.1.0
 */
export const planOf = (
  names: PlanNames,
  plans: LoadedPlans
): Result.Result<PlanState | undefined, RefusedBy<"PlanInactive" | "PlanNotFound">> =>
  Result.flatMap(requestedPlan(names, plans), (plan) =>
    plan?.status === "inactive" ? Result.fail(refuse({ _tag: "PlanInactive" })) : Result.succeed(plan)
  )

/**
 * The price of a plan for a payment method. A price for one card instalment takes precedence over prices for several.
 *
 * @category getters
 * @since 0.1.0
 */
export const priceOf = ({ prices }: PlanState, method: PaymentMethodId): Cents | undefined => {
  const all = prices.filter(({ payment }) => payment === method)
  return (all.find(({ installment }) => installment === undefined || installment === 1) ?? all[0])?.value
}
