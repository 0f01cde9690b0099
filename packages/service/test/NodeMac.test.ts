import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import * as NodeMac from "../src/NodeMac.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const algorithms = [Mac.hmacSha1, Mac.hmacSha256, Mac.hmacSha384, Mac.hmacSha512]

describe("NodeMac", () => {
  it.effect("computes the HMAC of RFC 4231, test case 2", () =>
    Effect.gen(function* () {
      const mac = yield* Mac.Mac
      const tag = yield* mac.sign(yield* Mac.key(Mac.hmacSha256, bytes("Jefe")), bytes("what do ya want for nothing?"))
      assert.strictEqual(
        Buffer.from(tag).toString("hex"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      )
    }).pipe(Effect.provide(NodeMac.layer))
  )

  it.effect("computes the same HMACs as Effect's layer, with each hash, and again with the same key", () =>
    Effect.gen(function* () {
      const mac = yield* Effect.provide(Mac.Mac, NodeMac.layer)
      const expected = yield* Effect.provide(Mac.Mac, NodeCrypto.layerMac)
      for (const algorithm of algorithms) {
        for (const secret of ["one", "another"]) {
          const key = yield* Mac.key(algorithm, bytes(secret))
          for (const text of ["", "first", "second"]) {
            assert.deepStrictEqual(yield* mac.sign(key, bytes(text)), yield* expected.sign(key, bytes(text)))
          }
        }
      }
    })
  )
})
