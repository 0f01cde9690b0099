/**
 * The table of charges.
 *
 * @since 0.1.0
 */
import { ChargeState } from "@parcela/core/charges/ChargeState"
import * as EntityTable from "../internal/EntityTable.ts"

/**
 * @category tables
 * @since 0.1.0
 */
export const charges = EntityTable.make({
  table: "charges",
  schema: ChargeState,
  columns: {
    customer_id: ({ customerId }) => customerId,
    card_id: ({ cardId }) => cardId ?? null,
    status: ({ status }) => status,
    created_at: ({ createdAt }) => createdAt,
    updated_at: ({ updatedAt }) => updatedAt
  }
})
