/**
 * The lenient parser of received deliveries. Senders may add keys and events without notice.
 *
 * @since 0.1.0
 */
import type { Lenient } from "@parcela/core/json/LenientValues"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { lenientDecoder, type UndecodedPart } from "@parcela/core/json/LenientDecoder"
import type { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import type { Transaction } from "@parcela/core/transactions/Transaction"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { WebhookPayload } from "./WebhookMessage.ts"

/**
 * The body is not a delivery.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnreadableMessage extends Schema.TaggedError<UnreadableMessage>()("UnreadableMessage", {
  problem: Schema.Literals(["utf8", "json", "depth", "object", "event", "webhookId"])
}) {
  override get message() {
    return `The body is not a delivery: ${problems[this.problem]}`
  }
}

/**
 * A parsed JSON object.
 *
 * @category models
 * @since 0.1.0
 */
export interface JsonObject {
  readonly [key: string]: Schema.Json
}

/**
 * A body that is a JSON object. `confirmHash` is separate, so that it is neither logged nor stored.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParsedBody {
  /** Undefined if the body has none, or a value that is not a text. */
  readonly confirmHash: Redacted.Redacted<string> | undefined
  readonly raw: JsonObject
  /** The signed body, with `confirmHash`. */
  readonly text: Redacted.Redacted<string>
}

/**
 * A received transaction: every key of the interface that was sent with a valid value.
 *
 * @category models
 * @since 0.1.0
 */
export type ReceivedTransaction = Lenient<Transaction>

/**
 * A received subscription, like `ReceivedTransaction`.
 *
 * @category models
 * @since 0.1.0
 */
export type ReceivedSubscription = Lenient<SubscriptionOfEvent>

/**
 * @category models
 * @since 0.1.0
 */
export interface ReceivedMessage {
  /** A `WebhookEvent`, or an event that this version does not know. */
  readonly event: WebhookEvent | (string & {})
  readonly webhookId: number
  readonly transaction: ReceivedTransaction | undefined
  readonly subscription: ReceivedSubscription | undefined
  /** The paths of the invalid values that are left out, with the names of the interface. */
  readonly undecoded: ReadonlyArray<UndecodedPart>
  /** The whole body without `confirmHash`, with the names of the sender. */
  readonly raw: JsonObject
}

/**
 * Parses the bytes of a body as a JSON object.
 *
 * @category reading
 * @since 0.1.0
 */
export const parseBody = (body: Uint8Array): Result.Result<ParsedBody, UnreadableMessage> => {
  // The signature covers a byte order mark.
  const text = Result.try(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body))
  return Result.isFailure(text) ? Result.fail(new UnreadableMessage({ problem: "utf8" })) : parseText(text.success)
}

/**
 * Parses the text of a body as a JSON object.
 *
 * @category reading
 * @since 0.1.0
 */
export const parseText = (text: string): Result.Result<ParsedBody, UnreadableMessage> => {
  // JSON.parse returns only JSON values.
  const json = Result.try(() => JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) as Schema.Json)
  if (Result.isFailure(json)) return Result.fail(new UnreadableMessage({ problem: "json" }))
  if (isDeeper(json.success, maxDepth)) return Result.fail(new UnreadableMessage({ problem: "depth" }))
  const object = asObject(json.success)
  if (object === undefined) return Result.fail(new UnreadableMessage({ problem: "object" }))
  const { confirmHash, ...raw } = object
  return Result.succeed({
    confirmHash: typeof confirmHash === "string" ? Redacted.make(confirmHash, { label: "confirmHash" }) : undefined,
    raw,
    text: Redacted.make(text, { label: "body" })
  })
}

/** Protects recursive code from a stack overflow. Deliveries have five levels. */
const maxDepth = 32

const isDeeper = (json: Schema.Json, levels: number): boolean =>
  typeof json === "object" &&
  json !== null &&
  (levels === 0 || Object.values(json).some((value) => isDeeper(value, levels - 1)))

const byteOrderMark = "\ufeff"

/**
 * Returns the delivery of a parsed body.
 *
 * **Details**
 *
 * Requires a text `event` and a positive `webhookId`, as a number or a text of digits. The lenient decoder of core, which
 * the client also uses, decodes the rest: it accepts unknown keys and events, missing entities, and a list of one entity
 * in place of the entity. It leaves out invalid values and lists them in `undecoded`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readMessage = (
  { raw }: Pick<ParsedBody, "raw">,
  naming: NamingProfile = svcPay
): Result.Result<ReceivedMessage, UnreadableMessage> => {
  const { undecoded, value } = read(naming.name === svcPay.name ? raw : naming.fromWire(raw))
  const { Subscription: subscription, Transaction: transaction, event, webhookId } = value
  if (event === undefined || event === "") return Result.fail(new UnreadableMessage({ problem: "event" }))
  // The lenient decoder does not check ranges.
  if (webhookId === undefined || webhookId < 1) return Result.fail(new UnreadableMessage({ problem: "webhookId" }))
  return Result.succeed({ event, webhookId, transaction, subscription, undecoded, raw })
}

const read = lenientDecoder(
  Schema.Struct({ event: Schema.String, webhookId: Schema.Int, ...WebhookPayload.fields }),
  "Delivery"
)

/**
 * Returns the subject of a delivery, such as `transaction/77`. Undefined without a transaction and a subscription.
 *
 * **Details**
 *
 * A sender numbers the changes of a transaction in the order of their commits. Of two deliveries of one subject, the one
 * with the higher `webhookId` is therefore newer. `statusDate` cannot decide, because two changes can have the same second.
 *
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = ({ subscription, transaction }: ReceivedMessage): string | undefined =>
  subjectIn("transaction", transaction) ?? subjectIn("subscription", subscription)

const subjectIn = (
  kind: string,
  entity: { readonly svcPayId?: number; readonly myId?: string } | undefined
): string | undefined => {
  if (entity?.svcPayId !== undefined) return `${kind}/${entity.svcPayId}`
  return entity?.myId === undefined ? undefined : `${kind}/myId/${entity.myId}`
}

const asObject = (json: Schema.Json): JsonObject | undefined =>
  // Arrays are the only other objects of JSON.
  typeof json === "object" && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined

const problems: Record<UnreadableMessage["problem"], string> = {
  utf8: "it is not UTF-8",
  json: "it is not JSON",
  depth: `it is nested more than ${maxDepth} levels deep`,
  object: "it is not a JSON object",
  event: "event must be a text",
  webhookId: "webhookId must be a positive whole number"
}
