/**
 * The body of a delivery as it is read: leniently, since senders may add keys and events without notice.
 *
 * @since 0.1.0
 */
import { type NamingProfile, svcPay } from "@parcela/core/NamingProfile"
import type { WebhookEvent } from "@parcela/core/WebhookEvent"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * The body is no delivery.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnreadableMessage extends Schema.TaggedError<UnreadableMessage>()("UnreadableMessage", {
  problem: Schema.Literals(["utf8", "json", "object", "event", "webhookId"])
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
 * What a receiver learns of a transaction. A field is undefined where it is missing, null or of another kind; `raw`
 * has everything that came.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedTransaction {
  readonly svcPayId: number | undefined
  readonly myId: string | undefined
  readonly subscriptionSvcPayId: number | undefined
  readonly subscriptionMyId: string | undefined
  readonly status: string | undefined
  readonly statusDate: string | undefined
  /** In cents. */
  readonly value: number | undefined
  readonly payday: string | undefined
  readonly tid: string | undefined
  readonly authorizationCode: string | undefined
  readonly raw: JsonObject
}

/**
 * What a receiver learns of a subscription; undefined as in `ReceivedTransaction`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedSubscription {
  readonly svcPayId: number | undefined
  readonly myId: string | undefined
  readonly status: string | undefined
  readonly raw: JsonObject
}

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
  /** The whole body without `confirmHash`. */
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
  const json = Result.try(() => JSON.parse(text.startsWith(byteOrderMark) ? text.slice(1) : text) as Schema.Json)
  if (Result.isFailure(json)) return Result.fail(new UnreadableMessage({ problem: "json" }))
  const object = asObject(json.success)
  if (object === undefined) return Result.fail(new UnreadableMessage({ problem: "object" }))
  const { confirmHash, ...raw } = object
  return Result.succeed({
    confirmHash: typeof confirmHash === "string" ? Redacted.make(confirmHash, { label: "confirmHash" }) : undefined,
    raw,
    text: Redacted.make(text, { label: "body" })
  })
}

const byteOrderMark = "\ufeff"

/**
 * The delivery that a parsed body holds.
 *
 * **Details**
 *
 * Needed are a text `event` and a `webhookId` from 1 up, as a number or as digits. Unknown keys and events pass, the
 * entities may be missing, and a list of one entity counts as that entity.
 *
 * @category reading
 * @since 0.1.0
 */
export const readMessage = (
  { raw }: Pick<ParsedBody, "raw">,
  naming: NamingProfile = svcPay
): Result.Result<ReceivedMessage, UnreadableMessage> => {
  const body = named(raw, naming)
  const event = textOf(body["event"])
  if (event === undefined || event === "") return Result.fail(new UnreadableMessage({ problem: "event" }))
  const webhookId = wholeOf(body["webhookId"])
  if (webhookId === undefined || webhookId < 1) return Result.fail(new UnreadableMessage({ problem: "webhookId" }))
  const transaction = entityOf(body["Transaction"])
  const subscription = entityOf(body["Subscription"])
  return Result.succeed({
    event,
    webhookId,
    transaction: transaction && transactionOf(transaction),
    subscription: subscription && subscriptionOf(subscription),
    raw
  })
}

/**
 * What a delivery is about, `transaction/77`; undefined where it names neither a transaction nor a subscription.
 *
 * **Details**
 *
 * The `webhookId`s of one sender rise in the order in which the changes of one transaction were committed. So of two
 * deliveries of one subject the one with the higher `webhookId` is the newer one; `statusDate` cannot tell, for it has
 * seconds and several changes can share one.
 *
 * @category conversions
 * @since 0.1.0
 */
export const subjectOf = ({ subscription, transaction }: ReceivedMessage): string | undefined =>
  subjectIn("transaction", transaction) ?? subjectIn("subscription", subscription)

const subjectIn = (
  kind: string,
  entity: { readonly svcPayId: number | undefined; readonly myId: string | undefined } | undefined
): string | undefined => {
  if (entity?.svcPayId !== undefined) return `${kind}/${entity.svcPayId}`
  return entity?.myId === undefined ? undefined : `${kind}/myId/${entity.myId}`
}

// The profile returns another object than it was given, of the same kind.
const named = (raw: JsonObject, naming: NamingProfile): JsonObject =>
  naming.name === svcPay.name ? raw : (naming.fromWire(raw) as JsonObject)

const transactionOf = (raw: JsonObject): ReceivedTransaction => ({
  svcPayId: wholeOf(raw["svcPayId"]),
  myId: textOf(raw["myId"]),
  subscriptionSvcPayId: wholeOf(raw["subscriptionSvcPayId"]),
  subscriptionMyId: textOf(raw["subscriptionMyId"]),
  status: textOf(raw["status"]),
  statusDate: textOf(raw["statusDate"]),
  value: wholeOf(raw["value"]),
  payday: textOf(raw["payday"]),
  tid: textOf(raw["tid"]),
  authorizationCode: textOf(raw["authorizationCode"]),
  raw
})

const subscriptionOf = (raw: JsonObject): ReceivedSubscription => ({
  svcPayId: wholeOf(raw["svcPayId"]),
  myId: textOf(raw["myId"]),
  status: textOf(raw["status"]),
  raw
})

const isList = (json: Schema.Json): json is ReadonlyArray<Schema.Json> => Array.isArray(json)

const asObject = (json: Schema.Json | undefined): JsonObject | undefined =>
  typeof json === "object" && json !== null && !isList(json) ? json : undefined

// Some senders of this family put the one subscription of an event into a list.
const entityOf = (json: Schema.Json | undefined): JsonObject | undefined =>
  json !== undefined && isList(json) ? (json.length === 1 ? asObject(json[0]) : undefined) : asObject(json)

const textOf = (json: Schema.Json | undefined): string | undefined => (typeof json === "string" ? json : undefined)

// Beyond 2^53 - 1 two numbers on the wire can become one here, so such a number is not read at all.
const wholeOf = (json: Schema.Json | undefined): number | undefined => {
  const number = typeof json === "string" && /^\d{1,16}$/.test(json) ? Number(json) : json
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

const problems: Record<UnreadableMessage["problem"], string> = {
  utf8: "it is not UTF-8",
  json: "it is not JSON",
  object: "it is not a JSON object",
  event: "event has to be a text",
  webhookId: "webhookId has to be a whole number from 1 up"
}
