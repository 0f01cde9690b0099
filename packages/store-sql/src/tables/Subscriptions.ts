/**
 * The table of subscriptions.
 *
 * @since 0.1.0
 */
import { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import * as EntityTable from "../internal/EntityTable.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const subscriptions = EntityTable.make({
  table: "subscriptions",
  schema: SubscriptionState,
  columns: ({ cardId, createdAt, customerId, planId, status, updatedAt }) => ({
    customer_id: customerId,
    card_id: cardId ?? null,
    plan_id: planId ?? null,
    status,
    created_at: createdAt,
    updated_at: updatedAt
  }),
  // An earlier program would bill no instalments, and drop the schedule: it must not read what has one.
  upcasts: [(manual) => manual]
})
