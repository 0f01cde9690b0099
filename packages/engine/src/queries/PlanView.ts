/**
 * The view of a plan in responses.
 *
 * @since 0.1.0
 */
import type { Plan } from "@parcela/core/plans/Plan"
import type { PlanState } from "@parcela/core/plans/PlanDecider"
import { fromEpochMillis } from "@parcela/core/time/Instant"
import type { SettingsShape } from "../Settings.ts"

/**
 * @category views
 * @since 0.1.0
 */
export const planView = (plan: PlanState, { zone }: SettingsShape): Plan => ({
  svcPayId: plan.id,
  myId: plan.myId ?? null,
  name: plan.name,
  periodicity: plan.periodicity,
  quantity: plan.quantity,
  additionalInfo: plan.additionalInfo ?? null,
  contract: null,
  PlanPrices: plan.prices.map(({ installment = null, payment, value }) => ({ payment, value, installment })),
  status: plan.status,
  createdAt: fromEpochMillis(plan.createdAt, zone),
  updatedAt: fromEpochMillis(plan.updatedAt, zone)
})
