/**
 * The senders that a receiver accepts, each an account of a service with its own secrets.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * One account of one service.
 *
 * @category options
 * @since 0.1.0
 */
export interface SenderConfig {
  /**
   * The name under which the inbox stores the sender's deliveries. Do not change the name: all deliveries would be new
   * again. Default: twelve hexadecimal digits derived from the first `confirmHash`, which they do not reveal.
   */
  readonly name?: string | undefined
  /** The accepted secrets. During a rotation: the new secret and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
  /** The accepted values of `confirmHash` in a body that one of the secrets signed. */
  readonly confirmHashes: Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>
}

const encoder = new TextEncoder()

/**
 * Returns the configured or derived name of a sender.
 *
 * @category conversions
 * @since 0.1.0
 */
export const nameOf = Effect.fn("Sender.nameOf")(function* ({ confirmHashes, name }: SenderConfig) {
  if (name !== undefined && name !== "") return name
  const mac = yield* Mac.Mac
  const key = yield* Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(confirmHashes[0])))
  const tag = yield* mac.sign(key, encoder.encode("@parcela/webhooks/Sender"))
  return Hex.encode(tag).slice(0, 12)
}, Effect.orDie)

/**
 * `confirmHash`: the text in every delivery that names the account (interface 2.12): 32 hexadecimal digits, redacted.
 *
 * **Details**
 *
 * A `confirmHash` does not protect the body, and every delivery reveals it. It counts only together with a signature.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ConfirmHash = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/u, { expected: "32 hexadecimal digits in lower case" })),
  { label: "confirmHash" }
)

/**
 * @category models
 * @since 0.1.0
 */
export type ConfirmHash = typeof ConfirmHash.Type

/**
 * Generates a `confirmHash` from 16 random bytes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const generateConfirmHash: Effect.Effect<ConfirmHash, never, SecureRandom.SecureRandom> =
  SecureRandom.SecureRandom.use((random) =>
    Effect.map(random.randomBytes(16), (bytes) => Redacted.make(Hex.encode(bytes), { label: "confirmHash" }))
  )
