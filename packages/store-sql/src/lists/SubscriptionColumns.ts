/**
 * Where the list of subscriptions finds what it is narrowed and ordered by.
 *
 * @since 0.1.0
 */
import { type SubscriptionList, subscriptionList } from "@parcela/core/lists/SubscriptionList"
import { either, equal, identifiers, integer, type ListColumns, reference, text, within } from "./ListColumns.ts"

const createdAt = integer("created_at")
const updatedAt = integer("updated_at")
const plan = integer("plan_id")
const customer = integer("customer_id")

/**
 * @category tables
 * @since 0.1.0
 */
export const subscriptionColumns: ListColumns<SubscriptionList> = {
  definition: subscriptionList,
  filters: {
    ...identifiers,
    customerSvcPayIds: equal(customer),
    customerMyIds: reference(customer, "customers"),
    planSvcPayIds: equal(plan),
    planMyIds: reference(plan, "plans"),
    status: equal(text("status")),
    createdOrUpdatedAt: either(createdAt, updatedAt),
    createdAt: within(createdAt)
  },
  orders: { createdAt, updatedAt }
}
