/**
 * Secure random bytes that are drawn from the platform in blocks.
 *
 * **Details**
 *
 * A draw of the platform costs 2 us whatever its size, and a payment by card needs five of some 10 bytes. Bytes are handed out once, and
 * are erased from the block when they are. A block is 4 KiB, one for each layer, and lives until its bytes are used up: they were as good
 * when they were drawn.
 *
 * @since 0.1.0
 */
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const blockSize = 4_096

/** More than that is drawn by itself. */
const mostOfABlock = 64

/** Random bytes in blocks that `draw` returns, of the size that it is asked for. */
const make = (draw: (size: number) => Uint8Array): SecureRandom.SecureRandom["Service"] => {
  let block: Uint8Array = new Uint8Array(0)
  let used = 0

  return SecureRandom.make((size) => {
    if (size > mostOfABlock) return draw(size)
    if (used + size > block.length) {
      block = draw(blockSize)
      used = 0
    }
    const bytes = block.slice(used, used + size)
    block.fill(0, used, used + size)
    used += size
    return bytes
  })
}

/**
 * Over the platform's Web Crypto.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<SecureRandom.SecureRandom> = Layer.effect(
  SecureRandom.SecureRandom,
  Effect.map(SecureRandom.SecureRandom, (random) => make((size) => Effect.runSync(random.randomBytes(size))))
).pipe(Layer.provide(SecureRandom.layerWebCrypto))
