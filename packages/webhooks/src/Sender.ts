/**
 * The senders that a receiver accepts, each an account of a service with its own secrets.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
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
  /**
   * The accepted values of `confirmHash`, which names the account in each body (interface 2.12). Every delivery reveals
   * it, so it counts only in a body that one of the secrets signed.
   */
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
