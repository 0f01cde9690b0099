/**
 * The table of plans.
 *
 * @since 0.1.0
 */
import { PlanState } from "@parcela/core/plans/PlanState"
import * as EntityTable from "../internal/EntityTable.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const plans = EntityTable.make({
  table: "plans",
  schema: PlanState,
  columns: {
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})
