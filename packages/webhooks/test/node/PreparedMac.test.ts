import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as PreparedMac from "../../src/node/PreparedMac.ts"
import { Effect, Layer } from "effect"
import * as Mac from "effect/crypto/Mac"

const bytes = (text: string) => new TextEncoder().encode(text)

/** One after the other, with keys that were used before too. */
const tags = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const keys = [
    yield* Mac.key(Mac.hmacSha256, bytes("a")),
    yield* Mac.key(Mac.hmacSha256, bytes("b")),
    yield* Mac.key(Mac.hmacSha512, bytes("a"))
  ]
  return yield* Effect.forEach([...keys, ...keys], (key) => mac.sign(key, bytes("text")))
})

describe("an HMAC with a prepared key", () => {
  it.effect("is the same as with a key that is made each time", () =>
    Effect.gen(function* () {
      const prepared = yield* Effect.provide(tags, PreparedMac.layer.pipe(Layer.provide(NodeCrypto.layerSecureRandom)))
      assert.deepStrictEqual(prepared, yield* Effect.provide(tags, NodeCrypto.layerMac))
    })
  )
})
