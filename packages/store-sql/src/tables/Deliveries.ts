/**
 * The table of deliveries.
 *
 * @since 0.1.0
 */
import type { NewDelivery } from "@parcela/engine/ports/Outbox"
import type { Columns } from "../internal/EntityTable.ts"

/**
 * A delivery that is due at once.
 *
 * @category conversions
 * @since 0.1.0
 */
export const deliveryRow = (delivery: NewDelivery): Columns => ({
  company_id: delivery.companyId,
  endpoint_id: delivery.endpointId,
  event: delivery.event,
  transaction_id: delivery.transactionId,
  payload: delivery.payload,
  created_at: delivery.createdAt,
  state: "pending",
  tries: 0,
  due_at: delivery.createdAt,
  waits_since: delivery.createdAt
})
