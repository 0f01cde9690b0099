/**
 * The body of a delivery as it is read: leniently, since senders may add keys and events without notice.
 *
 * @since 0.1.0
 */
import type { Lenient } from "@parcela/core/json/LenientValues"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { lenientDecoder, type Unread } from "@parcela/core/json/LenientDecoder"
import type { SubscriptionOfEvent } from "@parcela/core/subscriptions/Subscription"
import type { Transaction } from "@parcela/core/transactions/Transaction"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { WebhookPayload } from "./WebhookMessage.ts"

/**
 * The body is no delivery.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnreadableMessage extends Schema.TaggedError<UnreadableMessage>()("UnreadableMessage", {
  problem: Schema.Literals(["utf8", "json", "depth", "object", "event", "webhookId"])
}) {
  override get message() {
    return `The body cannot be read as a delivery: ${problems[this.problem]}`
  }
}

/**
 * A JSON object as it came.
 *
 * @category models
 * @since 0.1.0
 */
export interface JsonObject {
  readonly [key: string]: Schema.Json
}

/**
 * A body that is a JSON object, with `confirmHash` taken out so that nothing that is logged or kept shows it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParsedBody {
  /** Undefined when the body has none, or one that is no text. */
  readonly confirmHash: Redacted.Redacted<string> | undefined
  readonly raw: JsonObject
  /** The body as it was signed, `confirmHash` included. */
  readonly text: Redacted.Redacted<string>
}

/**
 * What a receiver learns of a transaction: every key of the interface, where it came in a form that can be read.
 *
 * @category models
 * @since 0.1.0
 */
export type ReceivedTransaction = Lenient<Transaction>

/**
 * What a receiver learns of a subscription; as in `ReceivedTransaction`.
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
  /** One of `WebhookEvent`, or an event that this version does not know. */
  readonly event: WebhookEvent | (string & {})
  readonly webhookId: number
  readonly transaction: ReceivedTransaction | undefined
  readonly subscription: ReceivedSubscription | undefined
  /** Where something came that could not be read and was left out, in the interface's names. */
  readonly unread: ReadonlyArray<Unread>
  /** The whole body without `confirmHash`, in the names that came. */
  readonly raw: JsonObject
}

/**
 * The JSON object that the bytes of a body write.
 *
 * @category reading
 * @since 0.1.0
 */
export const parseBody = (body: Uint8Array): Result.Result<ParsedBody, UnreadableMessage> => {
  // A byte order mark is part of what was signed.
  const text = Result.try(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body))
  return Result.isFailure(text) ? Result.fail(new UnreadableMessage({ problem: "utf8" })) : parseText(text.success)
}

/**
 * The JSON object that the text of a body writes.
 *
 * @category reading
 * @since 0.1.0
 */
export const parseText = (text: string): Result.Result<ParsedBody, UnreadableMessage> => {
  // JSON.parse returns nothing else.
  const json = Result.try(() => JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) as Schema.Json)
  if (Result.isFailure(json)) return Result.fail(new UnreadableMessage({ problem: "json" }))
  if (isDeeper(json.success, maximumDepth)) return Result.fail(new UnreadableMessage({ problem: "depth" }))
  const object = asObject(json.success)
  if (object === undefined) return Result.fail(new UnreadableMessage({ problem: "object" }))
  const { confirmHash, ...raw } = object
  return Result.succeed({
    confirmHash: typeof confirmHash === "string" ? Redacted.make(confirmHash, { label: "confirmHash" }) : undefined,
    raw,
    text: Redacted.make(text, { label: "body" })
  })
}

/** Deliveries have five levels; code that walks a body recursively must not run out of stack. */
const maximumDepth = 32

const isDeeper = (json: Schema.Json, levels: number): boolean =>
  typeof json === "object" &&
  json !== null &&
  (levels === 0 || Object.values(json).some((value) => isDeeper(value, levels - 1)))

const byteOrderMark = "\ufeff"

/**
 * The delivery that a parsed body holds.
 *
 * **Details**
 *
 * Needed are a text `event` and a `webhookId` from 1 up, as a number or as it is written. The rest is read by core's
 * `Reading`, as the client reads responses: unknown keys and events pass, the entities may be missing, a list of one entity
 * counts as that entity, and what cannot be read is left out and listed in `unread`.
 *
 * @category reading
 * @since 0.1.0
 */
export const readMessage = (
  { raw }: Pick<ParsedBody, "raw">,
  naming: NamingProfile = svcPay
): Result.Result<ReceivedMessage, UnreadableMessage> => {
  const { unread, value } = read(naming.name === svcPay.name ? raw : naming.fromWire(raw))
  const { Subscription: subscription, Transaction: transaction, event, webhookId } = value
  if (event === undefined || event === "") return Result.fail(new UnreadableMessage({ problem: "event" }))
  // Limits are not the lenientDecoder's matter; two ids below 1 are no numbers of deliveries.
  if (webhookId === undefined || webhookId < 1) return Result.fail(new UnreadableMessage({ problem: "webhookId" }))
  return Result.succeed({ event, webhookId, transaction, subscription, unread, raw })
}

const read = lenientDecoder(
  Schema.Struct({ event: Schema.String, webhookId: Schema.Int, ...WebhookPayload.fields }),
  "Delivery"
)

/**
 * What a delivery is about, `transaction/77`; undefined where it names neither a transaction nor a subscription.
 *
 * **Details**
 *
 * The `webhookId`s of one sender rise in the order in which the changes of one transaction were committed. So of two
 * deliveries of one subject the one with the higher `webhookId` is the newer one; `statusDate` cannot decide, for it has
 * seconds and several changes can share one.
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
  // Arrays are the only objects of JSON that are no records.
  typeof json === "object" && json !== null && !Array.isArray(json) ? (json as JsonObject) : undefined

const problems: Record<UnreadableMessage["problem"], string> = {
  utf8: "it is not UTF-8",
  json: "it is not JSON",
  depth: `it is nested more than ${maximumDepth} levels deep`,
  object: "it is not a JSON object",
  event: "event has to be a text",
  webhookId: "webhookId has to be a whole number from 1 up"
}
