/**
 * The receiving end of a delivery: proves where it comes from, reads it, and claims it once.
 *
 * @since 0.1.0
 */
import { EpochMillis } from "@parcela/core/EpochMillis"
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Mac from "effect/crypto/Mac"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ConfirmHash from "./ConfirmHash.ts"
import { Inbox, InboxError } from "./Inbox.ts"
import { parseBody, type ParsedBody, readMessage, type ReceivedMessage, UnreadableMessage } from "./ReceivedMessage.ts"
import * as Signature from "./Signature.ts"
import { SignatureError } from "./SignatureError.ts"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * Who sent the delivery is not proved: its signature or its `confirmHash` is wrong. Answer 401.
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
      "The confirmHash of the body is not the expected one: compare it with the answer to editing the webhooks"
    )
  }
}

/**
 * The sender is right, the body is not. Answer 400.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  cause: Schema.Union([UnreadableMessage, Schema.Literals(["tooDeep", "otherId"])])
}) {
  override get message() {
    if (this.cause === "tooDeep") return "The body cannot be read as a delivery: it is nested too deeply"
    if (this.cause === "otherId") return "The header webhook-id and the body's webhookId name different deliveries"
    return this.cause.message
  }
}

/**
 * The body is larger than is read. Answer 413.
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
 * The inbox could not be used, so the sender has to come again. Answer 503.
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
  reason: Schema.Union([Unauthenticated, Unreadable, TooLarge, NotKept])
}) {
  override get message() {
    return this.reason.message
  }
  /** The HTTP status to answer. */
  get status(): number {
    return statuses[this.reason._tag]
  }
}

/**
 * A delivery that is proved and claimed. Act on `New` alone; answer 200 to both.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received {
  readonly _tag: "New" | "Repeated"
  readonly message: ReceivedMessage
  readonly receivedAt: EpochMillis
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
     * `webhook-id` names the same delivery; then it is claimed.
     */
    readonly receive: (rawBody: Uint8Array, headers: Headers.Input) => Effect.Effect<Received, ReceiveError>
  }
>()("@parcela/webhooks/Receiver") {}

/**
 * @category options
 * @since 0.1.0
 */
export interface ReceiverConfig {
  /** Any of them may have signed: during a rotation, the new one and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
  /** Those of all accounts that deliver here. */
  readonly confirmHashes: Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>
  /** See `Signature.VerifyOptions`. */
  readonly tolerance?: Duration.Input | undefined
  /** Largest body that is looked at; default 1 MiB. */
  readonly maximumBytes?: number | undefined
}

/**
 * Largest body that is looked at unless said otherwise: 1 MiB.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultMaximumBytes = 1_048_576

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (config: ReceiverConfig): Layer.Layer<Receiver, never, Inbox | Mac.Mac> =>
  Layer.effect(
    Receiver,
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const mac = yield* Mac.Mac
      const maximumBytes = config.maximumBytes ?? defaultMaximumBytes

      const prove = Effect.fnUntraced(
        function* (rawBody: Uint8Array, headers: Headers.Input) {
          const { secrets, tolerance } = config
          return yield* Signature.verify({ headers, body: rawBody, secrets, tolerance })
        },
        Effect.provideService(Mac.Mac, mac),
        Effect.mapError((signature) => new Unauthenticated({ signature }))
      )

      const confirm = Effect.fnUntraced(
        function* ({ confirmHash }: ParsedBody) {
          if (confirmHash === undefined) return yield* new Unauthenticated({})
          const given = Redacted.value(confirmHash)
          const matches = yield* Effect.forEach(config.confirmHashes, (expected) =>
            ConfirmHash.matches(given, expected)
          )
          if (!matches.includes(true)) return yield* new Unauthenticated({})
        },
        Effect.provideService(Mac.Mac, mac)
      )

      const receive = Effect.fn("Receiver.receive")(
        function* (rawBody: Uint8Array, headers: Headers.Input) {
          if (rawBody.length > maximumBytes) return yield* new TooLarge({ maximumBytes })
          const signed = yield* prove(rawBody, headers)
          const parsed = yield* read(parseBody(rawBody))
          yield* confirm(parsed)
          const message = yield* read(readMessage(parsed))
          const webhookId = String(message.webhookId)
          if (signed.id !== webhookId) return yield* new Unreadable({ cause: "otherId" })
          const body = yield* textOf(parsed)
          const receivedAt = EpochMillis.make(yield* Clock.currentTimeMillis)
          const isFirst = yield* Effect.mapError(
            inbox.claim({ webhookId, event: message.event, receivedAt, body }),
            (cause) => new NotKept({ cause })
          )
          const received: Received = { _tag: isFirst ? "New" : "Repeated", message, receivedAt }
          return received
        },
        Effect.mapError((reason) => new ReceiveError({ reason }))
      )
      return Receiver.of({ receive })
    })
  )

const statuses = { Unauthenticated: 401, Unreadable: 400, TooLarge: 413, NotKept: 503 } as const

const read = <A>(result: Result.Result<A, UnreadableMessage>): Effect.Effect<A, Unreadable> =>
  Effect.mapError(Effect.fromResult(result), (cause) => new Unreadable({ cause }))

// Writing JSON recurses where reading it does not, so a body can be readable and still too deep to be kept.
const textOf = ({ raw }: ParsedBody): Effect.Effect<string, Unreadable> =>
  Effect.try({ try: () => JSON.stringify(raw), catch: () => new Unreadable({ cause: "tooDeep" }) })
