/**
 * The company's webhook settings (interface section 4.4), and the webhook requests of each event (section 6). The
 * interface defines how to edit the settings, but not how to read them. `@parcela/webhooks` encodes the requests.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import { EditWebhooks, WebhookUrl } from "@parcela/core/webhooks/EditWebhooks"
import { string } from "@parcela/core/values/Text"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Schema from "effect/Schema"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { BearerToken } from "../Security.ts"
import { confirmHash, failure } from "./Examples.ts"
import { done, FaultEntity, read, write } from "./Operation.ts"
import { Chargeback, PaymentBill } from "@parcela/core/transactions/Chargeback"
import { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import { Transaction } from "@parcela/core/transactions/Transaction"

/**
 * Interface 2.12.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhooksResponse = Schema.Struct({
  type: done,
  confirmHash: described(string(255), "The hash in every delivery: compare it to authenticate the sender."),
  events: described(Schema.Array(WebhookEvent), "The events that are on.")
}).annotate({ identifier: "WebhooksResponse", description: "The current webhook settings." })

/** The response of reading the settings: those of the edit, and the URL. */
const WebhookSettingsResponse = Schema.Struct({
  url: described(Schema.optionalKey(WebhookUrl), "The URL that receives events; absent until it is set."),
  confirmHash: WebhooksResponse.fields.confirmHash,
  events: WebhooksResponse.fields.events
}).annotate({ identifier: "WebhookSettingsResponse", description: "The current webhook settings." })

const url = "http://127.0.0.1:8027/"
const events = ["transaction.updateStatus", "subscription.addTransaction"]

/**
 * @category groups
 * @since 0.1.0
 */
export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    write("PUT", "edit", "/webhooks", {
      operationId: "editWebhooks",
      scope: "webhooks.write",
      summary: "Edit webhooks",
      description: "Sets the URL that receives events and the complete set of events that are on.",
      payload: EditWebhooks,
      success: WebhooksResponse,
      examples: {
        request: { url, events },
        response: { type: true, confirmHash, events },
        errors: {
          400: failure("The request is invalid", {
            "Webhook.url": ["must be an address that starts with http:// or https://, such as http://127.0.0.1:8142/"]
          })
        }
      }
    }),
    read("get", "/webhooks", {
      operationId: "getWebhooks",
      scope: "webhooks.write",
      summary: "Get webhooks",
      description:
        "Returns the URL that receives events, the events that are on, and the confirmHash. Until a URL is " +
        "set, it is absent and no event is on.",
      success: WebhookSettingsResponse,
      examples: { response: { url, confirmHash, events } }
    })
  )
  .middleware(BearerToken)
  .annotate(FaultEntity, "Webhook")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "The URL that receives events, and the events that are sent."
    })
  ) {}

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
    confirmHash: described(Schema.String, "The confirmHash of PUT /webhooks, which authenticates the sender."),
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
    PaymentBill: described(Schema.optionalKey(PaymentBill), "Some data of the paid bill.")
  }),
  "company.internalTransfer": request(
    "CompanyInternalTransferEvent",
    "company.internalTransfer",
    "An internal transfer; the interface does not show when.",
    {}
  )
} as const satisfies { readonly [Event in WebhookEvent]: Schema.Top }
