/**
 * The body of a delivery as it is written: `{ event, webhookId, confirmHash, Chargeback?, Transaction?, Subscription?, Charge? }`. It is read,
 * leniently, in `ReceivedMessage`.
 *
 * Source: `docs/interface-decisions.md`; the interface shows the contents (section 6) and not the envelope.
 *
 * @since 0.1.0
 */
import { ChargeOfTransaction } from "@parcela/core/charges/Charge"
import { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import { Chargeback } from "@parcela/core/transactions/Chargeback"
import { Transaction } from "@parcela/core/transactions/Transaction"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { type View, serializer } from "@parcela/core/json/ResponseSerializer"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * The entities that an event carries.
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
 * The JSON text of an event's entities, keys in the order of their schemas and in the sender's names: what is kept until it is
 * delivered. Under another name than the interface's, a field of an entity that has no value is `null`.
 *
 * @category writing
 * @since 0.1.0
 */
export const payloadWriter = (naming: NamingProfile): ((payload: View<WebhookPayload>) => string) => {
  const isOwn = naming.name === svcPay.name
  const write = serializer(WebhookPayload, isOwn ? "omitted" : "null")
  const decoder = new TextDecoder()
  return (payload) => {
    const text = decoder.decode(write(payload))
    if (isOwn) return text
    // Receivers learn by the keys what an event is about: an entity that it does not carry has none.
    const carried = Object.entries(Object(JSON.parse(text))).filter(([, entity]) => entity !== null)
    return JSON.stringify(naming.toWire(Object.fromEntries(carried)))
  }
}

/**
 * A delivery cannot be written: one of its parts is not what it has to be.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnwritableMessage extends Schema.TaggedError<UnwritableMessage>()("UnwritableMessage", {
  part: Schema.Literals(["webhookId", "payload"])
}) {
  override get message() {
    return this.part === "webhookId"
      ? "The webhookId of a delivery is a whole number from 1 up"
      : "The payload of a delivery is the text of a JSON object"
  }
}

/**
 * The body of a delivery. `payload` is what `encodePayload` returned.
 *
 * **Details**
 *
 * The payload is copied as it is, so that every try of one delivery has the same bytes, also by a newer version.
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
