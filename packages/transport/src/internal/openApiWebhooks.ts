/**
 * The `webhooks` of the OpenAPI document: the deliveries of each event, with examples.
 *
 * @since 0.1.0
 */
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as SchemaAST from "effect/SchemaAST"
import { webhookRequests } from "../contract/Webhooks.ts"
import type { JsonObject } from "./openApiNodes.ts"
import { confirmHash, denied, subscriptionOfEvent, transaction } from "../contract/Examples.ts"

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

const header = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema
})

/** The header parameters of Standard Webhooks. */
const parameters = [
  header("webhook-id", "Identifier of the delivery; the same when it is attempted again.", { type: "string" }),
  header("webhook-timestamp", "Time of this attempt, in seconds since 1970-01-01T00:00:00Z.", {
    type: "integer"
  }),
  header("webhook-signature", "v1,<base64>: HMAC-SHA256 of id, timestamp and body joined by full stops.", {
    type: "string"
  })
]

const operation = (event: WebhookEvent): JsonObject => {
  // Each schema of a delivery has an identifier and a description.
  const identifier = SchemaAST.resolveIdentifier(webhookRequests[event].ast)!
  // Each schema of a delivery has an identifier and a description.
  const description = SchemaAST.resolveDescription(webhookRequests[event].ast)!
  return {
    post: {
      operationId: `on${identifier.replace(/Event$/u, "")}`,
      summary: event,
      description: `${description} Signed by Standard Webhooks; a delivery can arrive more than once.`,
      tags: ["Webhooks"],
      security: [],
      parameters,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${identifier}` },
            // An example is plain JSON; its type has no index signature.
            examples: { default: { value: webhookExamples[event] as JsonObject } }
          }
        }
      },
      responses: {
        "2XX": { description: "The delivery was received." },
        "4XX": { description: "The delivery was not received; it is attempted again later." },
        "5XX": { description: "The delivery was not received; it is attempted again later." }
      }
    }
  }
}

export const webhookSection: JsonObject = Object.fromEntries(
  WebhookEvent.literals.map((event) => [event, operation(event)])
)
