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
  columns: {
    customer_id: ({ customerId }) => customerId,
    card_id: ({ cardId }) => cardId ?? null,
    plan_id: ({ planId }) => planId ?? null,
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})
