import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { inspect } from "node:util"
import * as ConfirmHash from "../src/Sender.ts"

const text = "0123456789abcdef0123456789abcdef"

describe("ConfirmHash", () => {
  layer(NodeCrypto.layerSecureRandom)((it) => {
    it("matches only the same text", () => {
      const expected = Redacted.make(text)
      assert.isTrue(ConfirmHash.matchesConfirmHash(text, expected))
      for (const other of [
        "",
        text.toUpperCase(),
        text.slice(1),
        `${text} `,
        `${text}${text}`,
        `1${text.slice(1)}`,
        `${text.slice(0, -1)}0`
      ]) {
        assert.isFalse(ConfirmHash.matchesConfirmHash(other, expected), other)
      }
    })

    it.prop("agrees with equality, whatever the lengths", [Schema.String, Schema.String], ([a, b]) => {
      const [left, right] = [a.toWellFormed(), b.toWellFormed()]
      assert.strictEqual(ConfirmHash.matchesConfirmHash(left, Redacted.make(right)), left === right)
      assert.isTrue(ConfirmHash.matchesConfirmHash(left, Redacted.make(left)))
    })

    it.effect("generates 32 different hexadecimal digits each time", () =>
      Effect.gen(function* () {
        const first = yield* ConfirmHash.generateConfirmHash
        const decoded = yield* Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(Redacted.value(first))
        assert.strictEqual(Redacted.value(decoded), Redacted.value(first))
        assert.notStrictEqual(Redacted.value(yield* ConfirmHash.generateConfirmHash), Redacted.value(first))
      })
    )

    it.effect("hides a valid and an invalid value", () =>
      Effect.gen(function* () {
        const right = yield* Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(text)
        const error = yield* Effect.flip(Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(text.toUpperCase()))
        assert.notInclude(`${String(right)} ${inspect(right)} ${String(error)}`.toLowerCase(), text)
      })
    )
  })
})
