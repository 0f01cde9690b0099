/**
 * `confirmHash`: the shared text in the body of every delivery that says which account it is for (interface 2.12).
 *
 * It covers nothing of the body and anybody who saw one delivery knows it, so it counts only beside a signature.
 *
 * @since 0.1.0
 */
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

/**
 * True when `given` is `expected`, to the letter; `expected` may be of any length.
 *
 * **Details**
 *
 * Every byte of `given` is compared, with those of `expected` over again where it has fewer: neither the first difference nor the length
 * of the expected text says how many are compared.
 *
 * @category comparing
 * @since 0.1.0
 */
export const matches = (given: string, expected: Redacted.Redacted<string>): boolean => {
  const [bytes, own] = [encoder.encode(given), encoder.encode(Redacted.value(expected))]
  let difference = bytes.length ^ own.length
  for (let place = 0; place < bytes.length; place++) {
    // An empty text has no byte at any place.
    difference |= bytes[place]! ^ (own[place % own.length] ?? 0)
  }
  return difference === 0
}
