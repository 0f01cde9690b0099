/**
 * The secret that both ends of a delivery sign and verify with: 24 to 64 random bytes, written `whsec_` and base64.
 *
 * Source: Standard Webhooks 1.0.0, "Symmetric signatures" and "Secret format".
 *
 * @since 0.1.0
 */
import type * as Brand from "effect/Brand"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * The bytes of a secret, of a length that the standard allows.
 *
 * @category models
 * @since 0.1.0
 */
export type WebhookSecret = Redacted.Redacted<Uint8Array & Brand.Brand<"WebhookSecret">>

/**
 * The text or the bytes are no secret. It never shows them.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidWebhookSecret extends Schema.TaggedError<InvalidWebhookSecret>()("InvalidWebhookSecret", {
  problem: Schema.Literals(["prefix", "base64", "length"])
}) {
  override get message() {
    return `Not a webhook secret: ${problems[this.problem]}`
  }
}

/**
 * The secret that `whsec_<base64>` writes; white space around it is ignored.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string | Redacted.Redacted<string>): Result.Result<WebhookSecret, InvalidWebhookSecret> => {
  const written = (Redacted.isRedacted(text) ? Redacted.value(text) : text).trim()
  if (!written.startsWith(prefix)) return Result.fail(new InvalidWebhookSecret({ problem: "prefix" }))
  const bytes = Base64.decode(written.slice(prefix.length))
  // The decoder skips line breaks and forgives stray bits; one secret has one way to be written.
  if (Result.isFailure(bytes) || `${prefix}${Base64.encode(bytes.success)}` !== written) {
    return Result.fail(new InvalidWebhookSecret({ problem: "base64" }))
  }
  return fromBytes(bytes.success)
}

/**
 * The secret of these bytes, which are copied.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromBytes = (bytes: Uint8Array): Result.Result<WebhookSecret, InvalidWebhookSecret> =>
  bytes.length < minimumBytes || bytes.length > maximumBytes
    ? Result.fail(new InvalidWebhookSecret({ problem: "length" }))
    : Result.succeed(unchecked(bytes))

/**
 * A new secret of 32 random bytes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const generate: Effect.Effect<WebhookSecret, never, SecureRandom.SecureRandom> = SecureRandom.SecureRandom.use(
  (random) => Effect.map(random.randomBytes(32), unchecked)
)

/**
 * The secret as people keep it: `whsec_<base64>`, still redacted.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (secret: WebhookSecret): Redacted.Redacted<string> =>
  Redacted.make(`${prefix}${Base64.encode(Redacted.value(secret))}`, { label })

const prefix = "whsec_"
const label = "webhook secret"
const minimumBytes = 24
const maximumBytes = 64

function unchecked(bytes: Uint8Array): WebhookSecret {
  // Its callers have counted the bytes, which is all that the brand says.
  return Redacted.make(Uint8Array.from(bytes) as Uint8Array & Brand.Brand<"WebhookSecret">, { label })
}

const problems: Record<InvalidWebhookSecret["problem"], string> = {
  prefix: `it starts with ${prefix}`,
  base64: `after ${prefix} stands padded base64 (A-Z, a-z, 0-9, + and /) and nothing else`,
  length: `it holds ${minimumBytes} to ${maximumBytes} bytes, which is 32 to 88 characters of base64`
}
