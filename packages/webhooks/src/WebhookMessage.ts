/**
 * The body of a sent delivery: `{ event, webhookId, confirmHash, Chargeback?, Transaction?, Subscription?, Charge? }`.
 * `ReceivedMessage` parses it leniently.
 *
 * Source: `docs/interface-decisions.md`. The interface (section 6) shows the contents, but not the envelope.
 *
 * @since 0.1.0
 */
import { ChargeOfTransaction } from "@parcela/core/charges/Charge"
import { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import { Chargeback } from "@parcela/core/transactions/Chargeback"
import { Transaction } from "@parcela/core/transactions/Transaction"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { nullFieldsOf, serializer, type View } from "@parcela/core/json/ResponseSerializer"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * The entities of an event.
 *
 * @category schemas
 * @since 0.1.0
 */
export const WebhookPayload = Schema.Struct({
  Chargeback: Schema.optionalKey(Chargeback),
  Transaction: Schema.optionalKey(Transaction),
  Subscription: Schema.optionalKey(SubscriptionOfEvent),
  Charge: Schema.optionalKey(ChargeOfTransaction)
})

/**
 * @category models
 * @since 0.1.0
 */
export type WebhookPayload = typeof WebhookPayload.Type

/**
 * Returns a function that writes the entities of an event as JSON, which is stored until it is delivered.
 *
 * **Details**
 *
 * Keys are in the order of the schemas, with the names of the naming profile. `nullFieldsOf`
 * defines which fields without a value are `null`.
 *
 * @category writing
 * @since 0.1.0
 */
export const payloadWriter = (naming: NamingProfile): ((payload: View<WebhookPayload>) => string) => {
  const write = serializer(WebhookPayload, nullFieldsOf(naming))
  const decoder = new TextDecoder()
  return (payload) => {
    const text = decoder.decode(write(payload))
    return naming.name === svcPay.name ? text : JSON.stringify(naming.toWire(JSON.parse(text)))
  }
}

/**
 * A part of a delivery is invalid.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnwritableMessage extends Schema.TaggedError<UnwritableMessage>()("UnwritableMessage", {
  part: Schema.Literals(["webhookId", "payload"])
}) {
  override get message() {
    return this.part === "webhookId"
      ? "The webhookId of a delivery must be a positive whole number"
      : "The payload of a delivery must be the text of a JSON object"
  }
}

/**
 * Returns the body of a delivery. `payload` is a text of `payloadWriter`.
 *
 * **Details**
 *
 * The payload is copied unchanged, so every attempt of a delivery has the same bytes, also by a newer version of the
 * service.
 *
 * @category writing
 * @since 0.1.0
 */
export const encodeMessage = (message: {
  readonly event: WebhookEvent
  readonly webhookId: number
  readonly confirmHash: Redacted.Redacted<string>
  readonly payload: string
}): Result.Result<string, UnwritableMessage> => {
  const { event, payload, webhookId } = message
  if (!Number.isSafeInteger(webhookId) || webhookId < 1) {
    return Result.fail(new UnwritableMessage({ part: "webhookId" }))
  }
  if (!payload.startsWith("{") || !payload.endsWith("}")) {
    return Result.fail(new UnwritableMessage({ part: "payload" }))
  }
  const head = JSON.stringify({ event, webhookId, confirmHash: Redacted.value(message.confirmHash) }).slice(0, -1)
  return Result.succeed(payload === "{}" ? `${head}}` : `${head},${payload.slice(1)}`)
}
