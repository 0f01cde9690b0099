/**
 * Where the list of plans finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type PlanList, planList } from "@parcela/core/lists/PlanList"
import { either, equal, identifiers, integer, type ListColumns, text, within } from "./ListColumns.ts"

const createdAt = integer("created_at")
const updatedAt = integer("updated_at")

/**
 * @category tables
 * @since 0.1.0
 */
export const planColumns: ListColumns<PlanList> = {
  definition: planList,
  filters: {
    ...identifiers,
    status: equal(text("status")),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
}
