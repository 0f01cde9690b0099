/**
 * Example deliveries of each event, for the OpenAPI document.
 *
 * @since 0.1.0
 */
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { confirmHash, denied, subscriptionOfEvent, transaction } from "./contract/ExampleEntities.ts"

/**
 * @category examples
 * @since 0.1.0
 */
export const webhookExamples: { readonly [Event in WebhookEvent]: object } = {
  "transaction.updateStatus": {
    event: "transaction.updateStatus",
    webhookId: 8,
    confirmHash,
    Transaction: transaction,
    Subscription: subscriptionOfEvent
  },
  "subscription.addTransaction": {
    event: "subscription.addTransaction",
    webhookId: 7,
    confirmHash,
    Transaction: denied,
    Subscription: subscriptionOfEvent
  },
  "company.cashOut": { event: "company.cashOut", webhookId: 9, confirmHash },
  "company.verifyDocuments": { event: "company.verifyDocuments", webhookId: 10, confirmHash },
  "chargeback.update": {
    event: "chargeback.update",
    webhookId: 11,
    confirmHash,
    Chargeback: { svcPayId: 5, status: "awaitingDocumentation", transactionSvcPayId: 4, expiryDate: "2026-12-05" },
    Transaction: { ...transaction, status: "chargeback", statusDescription: "Reversed by chargeback" },
    PaymentBill: { svcPayId: 6, value: 12990 }
  },
  "company.internalTransfer": { event: "company.internalTransfer", webhookId: 12, confirmHash }
}
