/**
 * `confirmHash`: the shared text in the body of every delivery that says which account it is for (interface 2.12).
 *
 * It covers nothing of the body and anybody who saw one delivery knows it, so it counts only beside a signature.
 *
 * @since 0.1.0
 */
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

/**
 * 32 hexadecimal digits, redacted; what the service makes.
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
 * A new one, of 16 random bytes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const generate: Effect.Effect<ConfirmHash, never, SecureRandom.SecureRandom> = SecureRandom.SecureRandom.use(
  (random) => Effect.map(random.randomBytes(16), (bytes) => Redacted.make(Hex.encode(bytes), { label: "confirmHash" }))
)

const encoder = new TextEncoder()

// The key need not be secret: it only makes digests of equal length out of the texts. It is made once, as it is prepared once.
const keyOfDigests = Effect.runSync(
  Effect.cached(Mac.key(Mac.hmacSha256, encoder.encode("@parcela/webhooks/ConfirmHash")))
)

/**
 * True when `given` is `expected`, to the letter; `expected` may be of any length.
 *
 * **Details**
 *
 * The HMACs of the two are compared, not the two: they have one length, so neither the first difference nor the
 * length of the expected text shows in the time it takes.
 *
 * @category comparing
 * @since 0.1.0
 */
export const matches = Effect.fnUntraced(function* (given: string, expected: Redacted.Redacted<string>) {
  const tag = yield* tagOf(given)
  const own = tags.get(expected) ?? (yield* tagOf(Redacted.value(expected)))
  tags.set(expected, own)
  return Mac.timingSafeEqual(tag, own)
}, Effect.orDie)

const tagOf = Effect.fnUntraced(function* (text: string) {
  const mac = yield* Mac.Mac
  return yield* mac.sign(yield* keyOfDigests, encoder.encode(text))
})

/** Of those that are expected, each made once; an entry lives as long as its text. */
const tags = new WeakMap<Redacted.Redacted<string>, Uint8Array>()
