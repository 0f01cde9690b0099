/**
 * The receiving end of deliveries: verifies the sender, parses the body, and stores the delivery in the inbox.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Mac from "effect/crypto/Mac"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Sender from "./Sender.ts"
import { Inbox, type InboxEntry, InboxError } from "./Inbox.ts"
import { InboxWorker } from "./InboxWorker.ts"
import { parseBody, readMessage, type ReceivedMessage, subjectOf, UnreadableMessage } from "./ReceivedMessage.ts"
import * as Signature from "./Signature.ts"
import { SignatureError } from "./Signature.ts"
import { mask } from "./Delivery.ts"

/**
 * The signature or the `confirmHash` is wrong, so the sender is not known. Respond with 401.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  /** Undefined if only `confirmHash` is wrong. */
  signature: Schema.optionalKey(SignatureError)
}) {
  override get message() {
    return (
      this.signature?.message ??
      "The confirmHash of the body is wrong: compare the configured value with the response to PUT /webhooks"
    )
  }
}

/**
 * The sender is verified, but the body is invalid. Respond with 400.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  cause: Schema.Union([UnreadableMessage, Schema.Literal("otherId")])
}) {
  override get message() {
    if (this.cause === "otherId") return "The header webhook-id and the body's webhookId name different deliveries"
    return this.cause.message
  }
}

/**
 * This `webhookId` of the sender is stored with another body, so one of the two would be lost. Respond with 409.
 *
 * @category errors
 * @since 0.1.0
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { webhookId: Schema.Int }) {
  override get message() {
    return (
      `webhookId ${this.webhookId} is stored with another body: if the numbers of the sender have restarted ` +
      "(after the reset of a sandbox), use a new database for the receiver or a new name for the sender"
    )
  }
}

/**
 * The body is too large. Respond with 413.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooLarge extends Schema.TaggedError<TooLarge>()("TooLarge", { maximumBytes: Schema.Int }) {
  override get message() {
    return `The body is larger than ${this.maximumBytes} bytes`
  }
}

/**
 * The inbox could not store the delivery, so the sender must repeat it. Respond with 503.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotStored extends Schema.TaggedError<NotStored>()("NotStored", { cause: InboxError }) {
  override get message() {
    return this.cause.message
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class ReceiveError extends Schema.TaggedError<ReceiveError>()("ReceiveError", {
  reason: Schema.Union([Unauthenticated, Unreadable, TooLarge, Conflict, NotStored])
}) {
  override get message() {
    return this.reason.message
  }
  /** The HTTP status to respond with. */
  get status(): number {
    return statuses[this.reason._tag]
  }
}

/**
 * A verified and stored delivery. Respond with 200 to a new and to a repeated delivery.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received {
  readonly _tag: "New" | "Repeated"
  /** The name of the sender. */
  readonly sender: string
  readonly message: ReceivedMessage
  readonly receivedAt: MachineTime
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Receiver extends Context.Service<
  Receiver,
  {
    /**
     * Receives a delivery. `rawBody` is the body before parsing. Header names may be in upper or lower case.
     *
     * Checks in this order: size, signature and timestamp, JSON, `confirmHash`, `event` and `webhookId`, and that
     * `webhook-id` has the same number. Then stores the delivery.
     */
    readonly receive: (rawBody: Uint8Array, headers: Headers.Input) => Effect.Effect<Received, ReceiveError>
  }
>()("@parcela/webhooks/Receiver") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface ReceiverConfig {
  /** The accepted senders. A `confirmHash` is valid only with a secret of the same sender. */
  readonly senders: Arr.NonEmptyReadonlyArray<Sender.SenderConfig>
  /** The naming profile of the senders. Default: the interface's own. */
  readonly naming?: NamingProfile | undefined
  /** See `Signature.VerifyOptions`. */
  readonly tolerance?: Duration.Input | undefined
  /** Maximum size of a body. Default: 4 MiB. */
  readonly maximumBytes?: number | undefined
}

/**
 * Default maximum size of a body: 4 MiB.
 *
 * **Details**
 *
 * A delivery contains a transaction and its subscription, which the server received in requests of at most 1 MiB each, and
 * a few KiB more. So every accepted transaction can be delivered.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultMaximumBytes = 4_194_304

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (config: ReceiverConfig): Layer.Layer<Receiver, never, Inbox | Mac.Mac> =>
  Layer.effect(
    Receiver,
    Effect.flatMap(Inbox, (inbox) => make(config, inbox.accept))
  )

/**
 * Like `layer`. New deliveries also go directly to the worker of this process.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerWithWorker = (config: ReceiverConfig): Layer.Layer<Receiver, never, InboxWorker | Mac.Mac> =>
  Layer.effect(
    Receiver,
    Effect.flatMap(InboxWorker, (worker) => make(config, worker.accept))
  )

type Accept = InboxWorker["Service"]["accept"]

const make = Effect.fnUntraced(function* (config: ReceiverConfig, accept: Accept) {
  const mac = yield* Mac.Mac
  const maximumBytes = config.maximumBytes ?? defaultMaximumBytes
  const naming = config.naming ?? svcPay
  const senders = yield* Effect.forEach(config.senders, (sender) =>
    Effect.map(Sender.nameOf(sender), (name): KnownSender => ({ ...sender, name }))
  )
  const secrets = Arr.flatMap(config.senders, (sender) => sender.secrets)

  const verified = Effect.fnUntraced(
    function* (rawBody: Uint8Array, headers: Headers.Input) {
      return yield* Signature.verify({ headers, body: rawBody, secrets, tolerance: config.tolerance })
    },
    Effect.provideService(Mac.Mac, mac),
    Effect.mapError((signature) => new Unauthenticated({ signature }))
  )

  const receive = Effect.fnUntraced(
    function* (rawBody: Uint8Array, headers: Headers.Input) {
      if (rawBody.length > maximumBytes) return yield* new TooLarge({ maximumBytes })
      const signed = yield* verified(rawBody, headers)
      const parsed = parseBody(rawBody)
      if (Result.isFailure(parsed)) return yield* new Unreadable({ cause: parsed.failure })
      const { confirmHash, text } = parsed.success
      const sender = confirmHash && confirmed(senders, signed, confirmHash)
      if (sender === undefined || confirmHash === undefined) return yield* new Unauthenticated({})
      const read = readMessage(parsed.success, naming)
      if (Result.isFailure(read)) return yield* new Unreadable({ cause: read.failure })
      const message = read.success
      const { event, webhookId } = message
      if (signed.id !== String(webhookId)) return yield* new Unreadable({ cause: "otherId" })
      const receivedAt = MachineTime.make(yield* Clock.currentTimeMillis)
      const entry: InboxEntry = {
        sender: sender.name,
        webhookId,
        event,
        subject: subjectOf(message),
        receivedAt,
        body: mask(Redacted.value(text), confirmHash),
        signedAt: signed.timestamp,
        signature: signed.signature
      }
      const acceptance = yield* Effect.mapError(accept(entry, message), (cause) => new NotStored({ cause }))
      if (acceptance === "conflict") return yield* new Conflict({ webhookId })
      const _tag = acceptance === "new" ? "New" : "Repeated"
      return { _tag, sender: sender.name, message, receivedAt } satisfies Received
    },
    Effect.mapError((reason) => new ReceiveError({ reason }))
  )
  return Receiver.of({ receive })
})

interface KnownSender extends Sender.SenderConfig {
  readonly name: string
}

/** Returns the sender whose secret signed the body and whose `confirmHash` the body contains. */
const confirmed = (
  senders: ReadonlyArray<KnownSender>,
  { secret }: Signature.Signed,
  confirmHash: Redacted.Redacted<string>
): KnownSender | undefined => {
  const given = encoder.encode(Redacted.value(confirmHash))
  const bytes = Redacted.value(secret)
  return senders.find(
    ({ confirmHashes, secrets }) =>
      secrets.some((own) => Mac.timingSafeEqual(Redacted.value(own), bytes)) &&
      confirmHashes.some((expected) => Mac.timingSafeEqual(encoder.encode(Redacted.value(expected)), given))
  )
}

const encoder = new TextEncoder()

const statuses = { Unauthenticated: 401, Unreadable: 400, TooLarge: 413, Conflict: 409, NotStored: 503 } as const
