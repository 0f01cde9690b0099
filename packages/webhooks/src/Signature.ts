/**
 * Signatures of deliveries by Standard Webhooks 1.0.0: HMAC-SHA256 of `id.timestamp.body`, sent as `v1,<base64>`.
 *
 * The body is signed and verified as the bytes on the wire: JSON that was parsed and written again is another body.
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
import {
  BadId,
  BadTimestamp,
  MissingHeader,
  NoSignatureMatches,
  SignatureError,
  SignatureHeader,
  TooNew,
  TooOld
} from "./SignatureError.ts"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * What is signed. `timestamp` is in seconds since 1970.
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
 * The value of `webhook-signature`: `v1,<base64>`.
 *
 * **Details**
 *
 * During a rotation, sign with each secret and send the signatures with a space between them. An id with a full stop
 * dies: the standard forbids it, since it would let one signature stand for two deliveries.
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
 * What is verified.
 *
 * @category models
 * @since 0.1.0
 */
export interface VerifyOptions {
  /** Names in any case. */
  readonly headers: Headers.Input
  /** The body as it came. */
  readonly body: Uint8Array
  /** Any of them will do: during a rotation, the new one and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
  /** How far `webhook-timestamp` may lie from now, before or after; default 5 minutes. */
  readonly tolerance?: Duration.Input | undefined
}

/**
 * What a signature vouches for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  /** The secret that it was made with. */
  readonly secret: WebhookSecret
  /** The signature that fits, `v1,<base64>`, out of those that came. */
  readonly signature: string
}

/**
 * The id and the time of a delivery whose signature fits.
 *
 * **Details**
 *
 * Signatures of other versions (`v1a`) are skipped. The comparison takes the same time whatever the difference.
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
      // One HMAC for each secret however many signatures come: a long header must not buy work over a large body.
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
 * How far a timestamp may lie from now unless said otherwise.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultTolerance: Duration.Duration = Duration.minutes(5)

// Visible ASCII without "." (it separates the parts of what is signed) and "," (it joins repeated headers).
const idPattern = /^[!-+\-/-~]{1,255}$/
// Written one way only, because the text itself is signed. Eleven digits reach the year 5138.
const timestampPattern = /^(0|[1-9]\d{0,10})$/

/** What the headers say, before any of it is believed. */
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
