/**
 * The secret that signs and verifies deliveries: 24 to 64 random bytes, written as `whsec_` and base64.
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
 * The bytes of a secret with a valid length.
 *
 * @category models
 * @since 0.1.0
 */
export type WebhookSecret = Redacted.Redacted<Uint8Array & Brand.Brand<"WebhookSecret">>

/**
 * The text or the bytes are not a secret. The error does not contain them.
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
 * Parses `whsec_<base64>`. Ignores surrounding white space.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string | Redacted.Redacted<string>): Result.Result<WebhookSecret, InvalidWebhookSecret> => {
  const written = (Redacted.isRedacted(text) ? Redacted.value(text) : text).trim()
  if (!written.startsWith(prefix)) return Result.fail(new InvalidWebhookSecret({ problem: "prefix" }))
  const bytes = Base64.decode(written.slice(prefix.length))
  // The decoder also accepts line breaks and stray bits. A secret has only one valid form.
  if (Result.isFailure(bytes) || `${prefix}${Base64.encode(bytes.success)}` !== written) {
    return Result.fail(new InvalidWebhookSecret({ problem: "base64" }))
  }
  return fromBytes(bytes.success)
}

/**
 * Returns a secret with a copy of these bytes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fromBytes = (bytes: Uint8Array): Result.Result<WebhookSecret, InvalidWebhookSecret> =>
  bytes.length < minBytes || bytes.length > maxBytes
    ? Result.fail(new InvalidWebhookSecret({ problem: "length" }))
    : Result.succeed(unchecked(bytes))

/**
 * Generates a secret of 32 random bytes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const generate: Effect.Effect<WebhookSecret, never, SecureRandom.SecureRandom> = SecureRandom.SecureRandom.use(
  (random) => Effect.map(random.randomBytes(32), unchecked)
)

/**
 * Returns the secret as `whsec_<base64>`, redacted.
 *
 * @category formatting
 * @since 0.1.0
 */
export const format = (secret: WebhookSecret): Redacted.Redacted<string> =>
  Redacted.make(`${prefix}${Base64.encode(Redacted.value(secret))}`, { label })

const prefix = "whsec_"
const label = "webhook secret"
const minBytes = 24
const maxBytes = 64

function unchecked(bytes: Uint8Array): WebhookSecret {
  // The callers have checked the length, as the brand requires.
  return Redacted.make(Uint8Array.from(bytes) as Uint8Array & Brand.Brand<"WebhookSecret">, { label })
}

const problems: Record<InvalidWebhookSecret["problem"], string> = {
  prefix: `it must start with ${prefix}`,
  base64: `after ${prefix} it must have only padded base64 (A-Z, a-z, 0-9, + and /)`,
  length: `it must have ${minBytes} to ${maxBytes} bytes, which is 32 to 88 characters of base64`
}
