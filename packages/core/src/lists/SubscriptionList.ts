/**
 * The list of subscriptions.
 *
 * @since 0.1.0
 */
import { SubscriptionStatus } from "../subscriptions/SubscriptionStatus.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import * as ListDefinition from "./ListDefinition.ts"
import { values } from "./ListFilter.ts"
import { created, createdOrUpdated, identifiers, ofCustomers } from "./sharedFilters.ts"

/**
 * @category lists
 * @since 0.1.0
 */
export const subscriptionList = ListDefinition.make({
  name: "subscriptions",
  entity: "Subscription",
  filters: {
    ...identifiers,
    ...ofCustomers,
    planMyIds: values(MyId, { description: "Plans by identifier of the client system", example: "example-plan" }),
    planSvcPayIds: values(SvcPayId, {
      description: "Plans by identifier of the service",
      example: "1",
      flag: "plan-id"
    }),
    status: values(SubscriptionStatus, { description: "Statuses of a subscription", example: "active" }),
    ...createdOrUpdated,
    ...created
  },
  orders: ["createdAt", "updatedAt"]
})

/**
 * @category lists
 * @since 0.1.0
 */
export type SubscriptionList = typeof subscriptionList
