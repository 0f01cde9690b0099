/**
 * Signatures of deliveries by Standard Webhooks 1.0.0: HMAC-SHA256 of `id.timestamp.body`, sent as `v1,<base64>`.
 *
 * The signature covers the bytes on the wire. JSON that is parsed and written again has other bytes. No error contains the
 * body, a secret or a signature.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Mac from "effect/crypto/Mac"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Headers from "effect/http/Headers"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { WebhookSecret } from "./WebhookSecret.ts"
import * as Schema from "effect/Schema"

/**
 * The three headers of a signed delivery.
 *
 * @category models
 * @since 0.1.0
 */
export const SignatureHeader = Schema.Literals(["webhook-id", "webhook-timestamp", "webhook-signature"])

/**
 * @category models
 * @since 0.1.0
 */
export type SignatureHeader = typeof SignatureHeader.Type

/**
 * A header of a signed delivery is missing or empty.
 *
 * @category errors
 * @since 0.1.0
 */
export class MissingHeader extends Schema.TaggedError<MissingHeader>()("MissingHeader", { header: SignatureHeader }) {
  override get message() {
    return `The header ${this.header} is missing: sign the delivery by Standard Webhooks`
  }
}

/**
 * `webhook-id` is not an identifier.
 *
 * @category errors
 * @since 0.1.0
 */
export class BadId extends Schema.TaggedError<BadId>()("BadId", {}) {
  override get message() {
    return "The header webhook-id must be sent once, with 1 to 255 visible ASCII characters without full stop or comma"
  }
}

/**
 * `webhook-timestamp` is not a whole number of seconds.
 *
 * @category errors
 * @since 0.1.0
 */
export class BadTimestamp extends Schema.TaggedError<BadTimestamp>()("BadTimestamp", {}) {
  override get message() {
    return "The header webhook-timestamp must be sent once, as whole seconds since 1970-01-01T00:00:00Z"
  }
}

/**
 * The delivery was signed too long ago: it is a repeated old request, or a clock is wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooOld extends Schema.TaggedError<TooOld>()("TooOld", {
  ageSeconds: Schema.Int,
  toleranceSeconds: Schema.Finite
}) {
  override get message() {
    return (
      `The delivery was signed ${this.ageSeconds} s ago, and the tolerance is ${this.toleranceSeconds} s: ` +
      "sign each attempt again, and synchronize both clocks by NTP"
    )
  }
}

/**
 * The delivery was signed in the future of the receiver: a clock is wrong.
 *
 * @category errors
 * @since 0.1.0
 */
export class TooNew extends Schema.TaggedError<TooNew>()("TooNew", {
  aheadSeconds: Schema.Int,
  toleranceSeconds: Schema.Finite
}) {
  override get message() {
    return (
      `The delivery was signed ${this.aheadSeconds} s in the future, and the tolerance is ` +
      `${this.toleranceSeconds} s: synchronize both clocks by NTP`
    )
  }
}

/**
 * No signature of the delivery is valid for the body and a secret.
 *
 * @category errors
 * @since 0.1.0
 */
export class NoSignatureMatches extends Schema.TaggedError<NoSignatureMatches>()("NoSignatureMatches", {}) {
  override get message() {
    return "No v1 signature is valid: compare the secrets of sender and receiver, and verify the bytes of the body before parsing"
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class SignatureError extends Schema.TaggedError<SignatureError>()("SignatureError", {
  reason: Schema.Union([MissingHeader, BadId, BadTimestamp, TooOld, TooNew, NoSignatureMatches])
}) {
  override get message() {
    return this.reason.message
  }
}

/**
 * The signed parts of a delivery. `timestamp` is in seconds since 1970.
 *
 * @category models
 * @since 0.1.0
 */
export interface SignOptions {
  readonly id: string
  readonly timestamp: number
  readonly body: string | Uint8Array
  readonly secret: WebhookSecret
}

/**
 * Returns the value of `webhook-signature`: `v1,<base64>`.
 *
 * **Details**
 *
 * During a rotation, sign with each secret and separate the signatures by spaces. An id with a full stop is a defect: the
 * standard forbids it, because one signature would be valid for two deliveries.
 *
 * @category signing
 * @since 0.1.0
 */
export const sign = Effect.fnUntraced(function* (options: SignOptions) {
  if (!idPattern.test(options.id)) return yield* Effect.die(new BadId())
  const body = typeof options.body === "string" ? encoder.encode(options.body) : options.body
  return yield* signatureOf(contentOf(options.id, String(options.timestamp), body), options.secret)
})

/**
 * The parts of a request that are verified.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerifyOptions {
  /** The header names may be in upper or lower case. */
  readonly headers: Headers.Input
  /** The body before parsing. */
  readonly body: Uint8Array
  /** The accepted secrets. During a rotation: the new secret and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
  /** Maximum difference between `webhook-timestamp` and the current time. Default: 5 minutes. */
  readonly tolerance?: Duration.Input | undefined
}

/**
 * The verified parts of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The secret of the valid signature. */
  readonly secret: WebhookSecret
  /** The valid signature, `v1,<base64>`. */
  readonly signature: string
}

/**
 * Verifies the signature and the timestamp of a delivery.
 *
 * **Details**
 *
 * Ignores signatures of other versions (`v1a`). Compares in constant time.
 *
 * @category verifying
 * @since 0.1.0
 */
export const verify: (options: VerifyOptions) => Effect.Effect<Signed, SignatureError, Mac.Mac> = Effect.fnUntraced(
  function* (options: VerifyOptions) {
    const tolerance = Duration.fromInputUnsafe(options.tolerance ?? defaultTolerance)
    const claim = yield* Effect.fromResult(claimOf(options.headers, yield* Clock.currentTimeMillis, tolerance))
    const content = contentOf(claim.id, claim.timestampText, options.body)
    const given = claim.signatures.split(" ").map((signature) => encoder.encode(signature))
    for (const secret of options.secrets) {
      // One HMAC for each secret: a header with many signatures must not cause work on a large body.
      const signature = yield* signatureOf(content, secret)
      const expected = encoder.encode(signature)
      if (given.some((candidate) => Mac.timingSafeEqual(expected, candidate))) {
        return { id: claim.id, timestamp: Number(claim.timestampText), secret, signature }
      }
    }
    return yield* new NoSignatureMatches()
  },
  Effect.mapError((reason) => new SignatureError({ reason }))
)

/**
 * Default maximum difference between a timestamp and the current time.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultTolerance: Duration.Duration = Duration.minutes(5)

// Visible ASCII without ".", which separates the signed parts, and ",", which joins repeated headers.
const idPattern = /^[!-+\-/-~]{1,255}$/
// A number has only one form, because the text is signed. Eleven digits reach the year 5138.
const timestampPattern = /^(0|[1-9]\d{0,10})$/

/** The values of the headers before verification. */
interface Claim {
  readonly id: string
  readonly timestampText: string
  readonly signatures: string
}

const claimOf = (
  input: Headers.Input,
  now: number,
  tolerance: Duration.Duration
): Result.Result<Claim, MissingHeader | BadId | BadTimestamp | TooOld | TooNew> => {
  const headers = Headers.fromInput(input)
  const missing = signatureHeaders.find((header) => (headers[header]?.trim() ?? "") === "")
  if (missing !== undefined) return Result.fail(new MissingHeader({ header: missing }))
  const [id = "", timestampText = "", signatures = ""] = signatureHeaders.map((header) => headers[header]?.trim())
  if (!idPattern.test(id)) return Result.fail(new BadId())
  if (!timestampPattern.test(timestampText)) return Result.fail(new BadTimestamp())
  const ageSeconds = Math.floor(now / 1000) - Number(timestampText)
  const toleranceSeconds = Duration.toSeconds(tolerance)
  if (ageSeconds > toleranceSeconds) return Result.fail(new TooOld({ ageSeconds, toleranceSeconds }))
  if (-ageSeconds > toleranceSeconds) return Result.fail(new TooNew({ aheadSeconds: -ageSeconds, toleranceSeconds }))
  return Result.succeed({ id, timestampText, signatures })
}

const signatureHeaders = SignatureHeader.literals

const encoder = new TextEncoder()

const contentOf = (id: string, timestamp: string, body: Uint8Array): Uint8Array => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

// An HMAC key is refused if it is empty, which a secret never is. A runtime without HMAC is a defect.
const signatureOf = Effect.fnUntraced(function* (content: Uint8Array, secret: WebhookSecret) {
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, Redacted.value(secret))
  return `v1,${Base64.encode(yield* mac.sign(key, content))}`
}, Effect.orDie)
