/**
 * What a subscription takes from a plan.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { Cents } from "../money/Cents.ts"
import type { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import type { PlanState } from "../plans/PlanState.ts"
import type { MyId, SvcPayId } from "../values/Identifier.ts"

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
