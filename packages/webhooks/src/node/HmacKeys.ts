/**
 * HMAC by `node:crypto` with keys that are prepared once.
 *
 * **Details**
 *
 * `NodeCrypto.layerMac` hands `createHmac` the bytes of its key: Node makes a key of them each time, which takes five times
 * what the HMAC itself does.
 *
 * @since 0.1.0
 */
import * as Mac from "effect/crypto/Mac"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type * as Layer from "effect/Layer"
import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto"

/** Keys by the array that holds their bytes, so that an entry lives as long as its key. */
const known = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (bytes: Uint8Array): KeyObject => {
  const key = known.get(bytes) ?? createSecretKey(bytes)
  known.set(bytes, key)
  return key
}

/**
 * HMAC-SHA-256 under a key: of a text in UTF-8, as hex digits in lower case.
 *
 * @category functions
 * @since 0.1.0
 */
export const hmacSha256 =
  (key: Uint8Array): ((text: string) => string) =>
  (text) =>
    createHmac("sha256", keyOf(key)).update(text).digest("hex")

/**
 * SHA-256 of a text in UTF-8, as hex digits in lower case.
 *
 * @category functions
 * @since 0.1.0
 */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/**
 * The same tags as those of `NodeCrypto.layerMac`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Mac.Mac, never, SecureRandom> = Mac.layerWebCryptoWith({
  // "SHA-256" is "sha256" to Node.
  hmac: (name, key, data) =>
    new Uint8Array(createHmac(name.toLowerCase().replace("-", ""), keyOf(key)).update(data).digest())
})

/**
 * HMAC-SHA-256 under a key: of an ASCII text and the bytes behind it, as base64.
 *
 * @category functions
 * @since 0.1.0
 */
export const hmacSha256Of = (key: Uint8Array, head: string, body: Uint8Array): string =>
  createHmac("sha256", keyOf(key)).update(head, "latin1").update(body).digest("base64")
