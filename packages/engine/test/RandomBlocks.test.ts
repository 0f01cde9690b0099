import { assert, describe, it } from "@effect/vitest"
import * as RandomBlocks from "@parcela/engine/RandomBlocks"
import { Effect, Layer } from "effect"
import { SecureRandom, WebCrypto } from "effect/crypto"

/** A platform whose random bytes count, so that one that is handed out twice shows; `drawn` has the size of each draw. */
const counting = () => {
  const drawn: Array<number> = []
  let next = 0
  const getRandomValues = (bytes: Uint8Array) => {
    drawn.push(bytes.length)
    bytes.forEach((_, at) => (bytes[at] = next++ % 251))
    return bytes
  }
  // Nothing else of it is used.
  const crypto = { getRandomValues } as Partial<typeof globalThis.crypto> as typeof globalThis.crypto
  return { drawn, random: RandomBlocks.layer.pipe(Layer.provide(WebCrypto.layer(crypto))) }
}

const take = (random: Layer.Layer<SecureRandom.SecureRandom>, sizes: ReadonlyArray<number>) =>
  SecureRandom.SecureRandom.use(({ randomBytes }) => Effect.forEach(sizes, randomBytes)).pipe(Effect.provide(random))

describe("random bytes in blocks", () => {
  it.effect("are handed out once, in arrays of their own, and drawn when a block is used up", () =>
    Effect.gen(function* () {
      const platform = counting()
      const taken = yield* take(
        platform.random,
        Array.from({ length: 300 }, (_, i) => i % 33)
      )
      assert.deepStrictEqual(
        taken.map(({ length }) => length),
        taken.map((_, i) => i % 33)
      )
      // 4,096 bytes are no multiple of 251: the next block goes on where the one before ended, less what was left of it.
      const bytes = taken.flatMap((each) => [...each])
      const leaps = bytes.filter((byte, at) => at > 0 && byte !== ((bytes[at - 1] ?? 0) + 1) % 251)
      assert.deepStrictEqual(platform.drawn, [4_096, 4_096])
      assert.isAtMost(leaps.length, 1)
      taken[1]?.fill(0)
      assert.notStrictEqual(taken[2]?.[0], 0)
    })
  )

  it.effect("are drawn by themselves where many are asked for", () =>
    Effect.gen(function* () {
      const platform = counting()
      assert.strictEqual((yield* take(platform.random, [5_000]))[0]?.length, 5_000)
      assert.deepStrictEqual(platform.drawn, [5_000])
    })
  )

  it.effect("of the platform make identifiers that differ", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const made = new Set<string>()
      for (let i = 0; i < 1_000; i++) made.add(yield* random.uuidV4())
      assert.strictEqual(made.size, 1_000)
    }).pipe(Effect.provide(RandomBlocks.layer))
  )
})
