/**
 * The plans that a request may mean, as part of a load.
 *
 * @since 0.1.0
 */
import type { FoundPlans, PlanNames } from "@parcela/core/subscriptions/SubscriptionPlan"
import { plans } from "../tables/Plans.ts"
import { stateColumns, stateOf } from "./Load.ts"
import type { Asking, Row } from "./Statement.ts"

/**
 * @category columns
 * @since 0.1.0
 */
export const planColumns = (names: Asking<PlanNames | undefined>): ReadonlyArray<string> =>
  names.has(nameOf) ? [stateColumns("named_plan"), stateColumns("my_id_plan")] : []

const nameOf = (names: PlanNames | undefined) => names?.planSvcPayId ?? names?.planMyId

/**
 * Joins of `planColumns`.
 *
 * @category joins
 * @since 0.1.0
 */
export const planJoins = (names: Asking<PlanNames | undefined>): string =>
  names.has(nameOf)
    ? `
  LEFT JOIN plans AS named_plan
    ON named_plan.company_id = company.id AND named_plan.id = ${names.bind((asked) => asked?.planSvcPayId ?? null)}
  LEFT JOIN plans AS my_id_plan
    ON my_id_plan.company_id = company.id AND my_id_plan.my_id = ${names.bind((asked) => asked?.planMyId ?? null)}`
    : ""

/**
 * @category conversions
 * @since 0.1.0
 */
export const plansOf = (row: Row): FoundPlans => {
  const named = stateOf(plans, "named_plan", row)
  const sameMyId = stateOf(plans, "my_id_plan", row)
  return { bySvcPayId: named?.state, byMyId: sameMyId?.state }
}
