/**
 * The receiving end of a delivery: verifies who sent it, reads it, and stores it as work before it is acknowledged.
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
import * as ConfirmHash from "./ConfirmHash.ts"
import { Inbox, type InboxEntry, InboxError } from "./Inbox.ts"
import { InboxWorker } from "./InboxWorker.ts"
import { parseBody, readMessage, type ReceivedMessage, subjectOf, UnreadableMessage } from "./ReceivedMessage.ts"
import * as Sender from "./Sender.ts"
import * as Signature from "./Signature.ts"
import { SignatureError } from "./SignatureError.ts"
import { mask } from "./StoredBody.ts"

/**
 * Who sent the delivery is not proved: its signature or its `confirmHash` is wrong. Respond with 401.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {
  /** Undefined when the signature is right and `confirmHash` is not. */
  signature: Schema.optionalKey(SignatureError)
}) {
  override get message() {
    return (
      this.signature?.message ??
      "The confirmHash of the body is not the expected one: compare it with the response to editing the webhooks"
    )
  }
}

/**
 * The sender is right, the body is not. Respond with 400.
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
 * This sender's `webhookId` was taken before with another body, so one of the two would be lost. Respond with 409.
 *
 * @category errors
 * @since 0.1.0
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { webhookId: Schema.Int }) {
  override get message() {
    return (
      `webhookId ${this.webhookId} was received before with another body: when the sender's numbers started again ` +
      "(a sandbox that was reset), give the receiver a new database or the sender a new name"
    )
  }
}

/**
 * The body is larger than is read. Respond with 413.
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
 * The inbox could not be used, so the sender has to send it again. Respond with 503.
 *
 * @category errors
 * @since 0.1.0
 */
export class NotKept extends Schema.TaggedError<NotKept>()("NotKept", { cause: InboxError }) {
  override get message() {
    return this.cause.message
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class ReceiveError extends Schema.TaggedError<ReceiveError>()("ReceiveError", {
  reason: Schema.Union([Unauthenticated, Unreadable, TooLarge, Conflict, NotKept])
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
 * A delivery that is verified and stored. Respond to both with 200; the work is the inbox's.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received {
  readonly _tag: "New" | "Repeated"
  /** The name of who sent it. */
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
     * What came, or why it is refused. `rawBody` is the body before any parsing; header names may be in any case.
     *
     * Checked in this order: size, signature and its time, JSON, `confirmHash`, `event` and `webhookId`, that
     * `webhook-id` names the same delivery; then it is stored.
     */
    readonly receive: (rawBody: Uint8Array, headers: Headers.Input) => Effect.Effect<Received, ReceiveError>
  }
>()("@parcela/webhooks/Receiver") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface ReceiverConfig {
  /** Who delivers here. A `confirmHash` counts only beside a secret of the same sender. */
  readonly senders: Arr.NonEmptyReadonlyArray<Sender.SenderConfig>
  /** The names that the senders' service writes on the wire; default: the interface's own. */
  readonly naming?: NamingProfile | undefined
  /** See `Signature.VerifyOptions`. */
  readonly tolerance?: Duration.Input | undefined
  /** Largest body that is looked at; default 4 MiB. */
  readonly maximumBytes?: number | undefined
}

/**
 * Largest body that is looked at unless said otherwise: 4 MiB.
 *
 * **Details**
 *
 * A delivery holds a transaction and its subscription, which came to the server in requests of at most 1 MiB each. What it
 * adds to them is a few KiB, so that whatever a server accepts can also be delivered.
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
 * As `layer`, and what is new is handed to a worker of this process as it is stored: nobody has to wake it.
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
      const acceptance = yield* Effect.mapError(accept(entry, message), (cause) => new NotKept({ cause }))
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

/** The sender whose secret made the signature and whose `confirmHash` stands in the body. */
const confirmed = (
  senders: ReadonlyArray<KnownSender>,
  { secret }: Signature.Signed,
  confirmHash: Redacted.Redacted<string>
): KnownSender | undefined => {
  const given = Redacted.value(confirmHash)
  const bytes = Redacted.value(secret)
  return senders.find(
    ({ confirmHashes, secrets }) =>
      secrets.some((own) => Mac.timingSafeEqual(Redacted.value(own), bytes)) &&
      confirmHashes.map((expected) => ConfirmHash.matches(given, expected)).includes(true)
  )
}

const statuses = { Unauthenticated: 401, Unreadable: 400, TooLarge: 413, Conflict: 409, NotKept: 503 } as const
