import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as HmacKeys from "../../src/node/HmacKeys.ts"
import { Effect, Layer } from "effect"
import * as Mac from "effect/crypto/Mac"
import * as Hex from "effect/encoding/Hex"

/** Of each hash, with keys shorter than its block, as long and longer, and data from nothing; each key is used twice. */
const tags = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const found: Array<Uint8Array> = []
  for (const algorithm of [Mac.hmacSha1, Mac.hmacSha256, Mac.hmacSha384, Mac.hmacSha512]) {
    for (const length of [1, 32, 64, 65, 128, 129, 300]) {
      const key = yield* Mac.key(
        algorithm,
        Uint8Array.from({ length }, (_, index) => index * 7)
      )
      for (const size of [0, 1000]) found.push(yield* mac.sign(key, new Uint8Array(size).fill(length)))
    }
  }
  return found.map((tag) => [...tag])
})

describe("an HMAC with a prepared key", () => {
  it.effect("is the same as with a key that is made each time", () =>
    Effect.gen(function* () {
      const prepared = yield* Effect.provide(tags, HmacKeys.layer.pipe(Layer.provide(NodeCrypto.layerSecureRandom)))
      assert.deepStrictEqual(prepared, yield* Effect.provide(tags, NodeCrypto.layerMac))
    })
  )

  it.effect("of a text is that of its UTF-8, as hex digits", () =>
    Effect.gen(function* () {
      const mac = yield* Mac.Mac
      const key = Uint8Array.from({ length: 32 }, (_, index) => index)
      const made = yield* Mac.key(Mac.hmacSha256, key)
      const hmac = HmacKeys.hmacSha256(key)
      for (const text of ["", "a", "ação € 😀", "long ".repeat(1_000), ""]) {
        assert.strictEqual(hmac(text), Hex.encode(yield* mac.sign(made, new TextEncoder().encode(text))))
      }
    }).pipe(Effect.provide(NodeCrypto.layerMac))
  )
})

describe("SHA-256 of a text", () => {
  it("is that of FIPS 180-2, appendix B.1", () => {
    assert.strictEqual(HmacKeys.sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  })
})
