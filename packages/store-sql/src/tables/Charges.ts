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
  columns: ({ cardId, createdAt, customerId, status, updatedAt }) => ({
    customer_id: customerId,
    card_id: cardId ?? null,
    status,
    created_at: createdAt,
    updated_at: updatedAt
  })
})
