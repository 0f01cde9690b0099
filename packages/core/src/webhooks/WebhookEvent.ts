/**
 * The events that webhooks deliver (interface section 6).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The six events of interface section 6.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookEvent = Schema.Literals([
  "transaction.updateStatus",
  "subscription.addTransaction",
  "company.cashOut",
  "company.verifyDocuments",
  "chargeback.update",
  "company.internalTransfer"
]).annotate({ identifier: "WebhookEvent", description: "Events that a webhook can receive." })

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookEvent = typeof WebhookEvent.Type
