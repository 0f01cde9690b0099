/**
 * The webhook requests of each event (interface section 6), for the OpenAPI document. `@parcela/webhooks` encodes and
 * decodes deliveries.
 *
 * @since 0.1.0
 */
import { Chargeback, PaymentBill } from "@parcela/core/transactions/Chargeback"
import { described } from "@parcela/core/values/Fields"
import { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import { Transaction } from "@parcela/core/transactions/Transaction"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"

const request = <const Event extends WebhookEvent, Fields extends Schema.Struct.Fields>(
  identifier: string,
  event: Event,
  description: string,
  fields: Fields
) =>
  Schema.Struct({
    event: described(Schema.Literal(event), "The event."),
    webhookId: described(
      Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
      "Number of the delivery. It is the same when the delivery is attempted again."
    ),
    confirmHash: described(Schema.String, "The confirmHash of PUT /webhooks: it shows who sends."),
    ...fields
  }).annotate({ identifier, description })

const ofTransaction = {
  Transaction: described(Transaction, "The transaction with all its data."),
  Subscription: described(SubscriptionOfEvent, "The subscription of the transaction, without its payments.")
}

/**
 * The request body of each event. The interface does not define the bodies of the three company events.
 *
 * @category schemas
 * @since 0.1.0
 */
export const webhookRequests = {
  "transaction.updateStatus": request(
    "TransactionUpdateStatusEvent",
    "transaction.updateStatus",
    "The status of a transaction has changed.",
    ofTransaction
  ),
  "subscription.addTransaction": request(
    "SubscriptionAddTransactionEvent",
    "subscription.addTransaction",
    "A transaction was added to a subscription.",
    ofTransaction
  ),
  "company.cashOut": request(
    "CompanyCashOutEvent",
    "company.cashOut",
    "A Pix payment, a withdrawal or a transfer was made in the system.",
    {}
  ),
  "company.verifyDocuments": request(
    "CompanyVerifyDocumentsEvent",
    "company.verifyDocuments",
    "The approval status of the account has changed.",
    {}
  ),
  "chargeback.update": request("ChargebackUpdateEvent", "chargeback.update", "A dispute was opened, or has changed.", {
    Chargeback: described(Chargeback, "The dispute."),
    Transaction: described(Schema.optionalKey(Transaction), "The transaction in dispute."),
    PaymentBill: described(Schema.optionalKey(PaymentBill), "Some data of what was paid for.")
  }),
  "company.internalTransfer": request(
    "CompanyInternalTransferEvent",
    "company.internalTransfer",
    "An internal transfer; the interface does not show when.",
    {}
  )
} as const satisfies { readonly [Event in WebhookEvent]: Schema.Top }
