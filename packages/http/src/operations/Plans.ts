/**
 * Lists, creates, edits and deactivates plans.
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListSelection"
import { planList } from "@parcela/core/lists/PlanList"
import type { PlanState } from "@parcela/core/plans/PlanState"
import { planView } from "@parcela/engine/queries/PlanView"
import { Settings } from "@parcela/engine/Settings"
import { PlanManagement } from "@parcela/engine/plans/Plans"
import type { PlansGroup } from "@parcela/transport/contract/Plans"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const selected = selectionOf(planList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof PlansGroup>, never, PlanManagement> = Effect.gen(function* () {
  const plans = yield* PlanManagement
  const settings = yield* Settings
  const shown = (plan: PlanState) => ({ type: true as const, Plan: planView(plan, settings) })
  return {
    "plans.create": ({ client, payload, underKey }) =>
      underKey(shown, (key) => plans.create(client.companyId, payload, key)),
    "plans.edit": ({ client, entity, payload, underKey }) =>
      underKey(shown, (key) => plans.edit(client.companyId, entity, payload, key)),
    "plans.deactivate": ({ client, entity, underKey }) =>
      underKey(isDone, (key) => plans.edit(client.companyId, entity, { status: "inactive" }, key)),
    "plans.list": ({ client, query }) => {
      const { filter, page } = selected(query, settings.zone)
      return Effect.map(plans.list(client.companyId, filter, page), (found) =>
        pageOf(
          "Plans",
          found.map((plan) => planView(plan, settings))
        )
      )
    }
  }
})
