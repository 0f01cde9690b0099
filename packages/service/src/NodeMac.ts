/**
 * Effect's `Mac` on `node:crypto` with prepared keys.
 *
 * @since 0.1.0
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import type * as Digest from "effect/crypto/Digest"
import * as Mac from "effect/crypto/Mac"
import * as Layer from "effect/Layer"
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"

/** Node converts a key of bytes again for each HMAC, which takes several times as long as the HMAC itself. */
const prepared = new WeakMap<Uint8Array, KeyObject>()

const preparedKey = (bytes: Uint8Array): KeyObject => {
  const existing = prepared.get(bytes)
  if (existing !== undefined) return existing
  const key = createSecretKey(bytes)
  prepared.set(bytes, key)
  return key
}

/** Node's name of a hash: `sha256` for `SHA-256`. */
const nodeName = (hash: Digest.Algorithm["name"]): string => hash.replace("-", "").toLowerCase()

/**
 * Like `NodeCrypto.layerMac`, for keys that sign more than once.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Mac.Mac> = Mac.layerWebCryptoWith({
  // The copy does not keep Node's shared buffer.
  hmac: (hash, key, data) => new Uint8Array(createHmac(nodeName(hash), preparedKey(key)).update(data).digest())
}).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
