/**
 * The services and accounts that deliver to a receiver, each with its own secrets: what one of them signs is never taken
 * for another's.
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
   * What its deliveries are filed under: keep it, for under another name all deliveries are new again. Default: twelve
   * hexadecimal digits that follow from the first `confirmHash` and do not reveal it.
   */
  readonly name?: string | undefined
  /** Any of them may have signed: during a rotation, the new one and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
  /** Any of them may stand in a body that one of the secrets signed. */
  readonly confirmHashes: Arr.NonEmptyReadonlyArray<Redacted.Redacted<string>>
}

/**
 * The name of a sender: the one it was given, or one that follows from its first `confirmHash`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const nameOf = Effect.fn("Sender.nameOf")(function* ({ confirmHashes, name }: SenderConfig) {
  if (name !== undefined && name !== "") return name
  const mac = yield* Mac.Mac
  const encoder = new TextEncoder()
  const key = yield* Mac.key(Mac.hmacSha256, encoder.encode(Redacted.value(confirmHashes[0])))
  const tag = yield* mac.sign(key, encoder.encode("@parcela/webhooks/Sender"))
  return Hex.encode(tag).slice(0, 12)
}, Effect.orDie)
