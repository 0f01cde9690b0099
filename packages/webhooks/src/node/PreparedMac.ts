/**
 * HMAC by `node:crypto` with keys that are prepared once.
 *
 * **Details**
 *
 * `NodeCrypto.layerMac` hands `createHmac` the bytes of its key: Node makes a key of them each time, and an object of OpenSSL
 * and a stream around every HMAC. Here an HMAC is what RFC 2104 says it is, two digests of what lies ready: a third of the time
 * where caches are cold.
 *
 * @since 0.1.0
 */
import * as Mac from "effect/crypto/Mac"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type * as Layer from "effect/Layer"
import { hash } from "node:crypto"

/** A key as what both digests begin with: its block with two patterns (RFC 2104, section 2). */
interface Prepared {
  /** As Node calls the hash. */
  readonly algorithm: string
  readonly inner: Buffer
  /** With room for the digest of the first behind it. */
  readonly outer: Buffer
  readonly blockSize: number
}

const prepare = (name: string, key: Uint8Array): Prepared => {
  // "SHA-256" is "sha256" to Node.
  const algorithm = name.toLowerCase().replace("-", "")
  const blockSize = name === "SHA-1" || name === "SHA-256" ? 64 : 128
  const block = Buffer.alloc(blockSize)
  block.set(key.length > blockSize ? hash(algorithm, key, "buffer") : key)
  const digestSize = hash(algorithm, key, "buffer").length
  const patterned = (pattern: number) => block.map((byte) => byte ^ pattern)
  const outer = Buffer.concat([patterned(0x5c), Buffer.alloc(digestSize)])
  return { algorithm, inner: Buffer.from(patterned(0x36)), outer, blockSize }
}

/** What the second digest is of: `text` begins with the key's inner block. */
const outerOf = ({ algorithm, blockSize, outer }: Prepared, text: Buffer): Buffer => {
  // As text: an array of its own would be more work for the collection of garbage than the digest is.
  outer.write(hash(algorithm, text, "binary"), blockSize, "binary")
  return outer
}

const room = ({ blockSize, inner }: Prepared, bytes: number): Buffer => {
  const text = Buffer.allocUnsafe(blockSize + bytes)
  text.set(inner)
  return text
}

/**
 * HMAC-SHA-256 under a key: of a text in UTF-8, as hex digits in lower case.
 *
 * @category functions
 * @since 0.1.0
 */
export const hmacSha256 = (key: Uint8Array): ((text: string) => string) => {
  const prepared = prepare("SHA-256", key)
  return (text) => {
    // No character of a text has more than three bytes for each of its units.
    const first = room(prepared, text.length * 3)
    const end = prepared.blockSize + first.write(text, prepared.blockSize)
    return hash(prepared.algorithm, outerOf(prepared, first.subarray(0, end)), "hex")
  }
}

/**
 * SHA-256 of a text in UTF-8, as hex digits in lower case.
 *
 * @category functions
 * @since 0.1.0
 */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** Keys by the array that Effect's `Key` holds its bytes in, so that an entry lives as long as its key. */
const known = new WeakMap<Uint8Array, Prepared>()

const preparedOf = (name: string, key: Uint8Array): Prepared => {
  const prepared = known.get(key) ?? prepare(name, key)
  known.set(key, prepared)
  return prepared
}

const hmac = (name: string, key: Uint8Array, data: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prepared = preparedOf(name, key)
  const first = room(prepared, data.length)
  first.set(data, prepared.blockSize)
  return hash(prepared.algorithm, outerOf(prepared, first), "buffer")
}

/**
 * The same tags as those of `NodeCrypto.layerMac`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Mac.Mac, never, SecureRandom> = Mac.layerWebCryptoWith({ hmac })

/**
 * HMAC-SHA-256 under a key: of an ASCII text and the bytes behind it, as base64.
 *
 * @category functions
 * @since 0.1.0
 */
export const hmacSha256Of = (key: Uint8Array, head: string, body: Uint8Array): string => {
  const prepared = preparedOf("SHA-256", key)
  const first = room(prepared, head.length + body.length)
  first.write(head, prepared.blockSize, "latin1")
  first.set(body, prepared.blockSize + head.length)
  return hash(prepared.algorithm, outerOf(prepared, first), "base64")
}
