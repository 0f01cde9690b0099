/**
 * The list of plans.
 *
 * @since 0.1.0
 */
import { ActiveStatus } from "../values/ActiveStatus.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { values } from "./ListFilter.ts"
import { created, createdOrUpdated, identifiers } from "./sharedFilters.ts"

/**
 * @category lists
 * @since 0.1.0
 */
export const planList = ListDefinition.make({
  name: "plans",
  entity: "Plan",
  filters: {
    ...identifiers,
    status: values(ActiveStatus, { description: "Statuses of a plan", example: "active" }),
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type PlanList = typeof planList
