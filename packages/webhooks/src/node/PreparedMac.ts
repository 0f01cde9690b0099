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
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"

/** Keys by the array that Effect's `Key` holds its bytes in, so that an entry lives as long as its key. */
const prepared = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (bytes: Uint8Array): KeyObject => {
  const known = prepared.get(bytes)
  if (known !== undefined) return known
  const key = createSecretKey(bytes)
  prepared.set(bytes, key)
  return key
}

/**
 * The same tags as those of `NodeCrypto.layerMac`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Mac.Mac, never, SecureRandom> = Mac.layerWebCryptoWith({
  // "SHA-256" is "sha256" to Node.
  hmac: (hash, key, data) =>
    new Uint8Array(createHmac(hash.toLowerCase().replace("-", ""), keyOf(key)).update(data).digest())
})
