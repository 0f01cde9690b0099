import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { inspect } from "node:util"
import * as ConfirmHash from "../src/ConfirmHash.ts"

const text = "0123456789abcdef0123456789abcdef"

describe("ConfirmHash", () => {
  layer(NodeCrypto.layerSecureRandom)((it) => {
    it("matches itself to the letter and nothing else", () => {
      const expected = Redacted.make(text)
      assert.isTrue(ConfirmHash.matches(text, expected))
      for (const other of [
        "",
        text.toUpperCase(),
        text.slice(1),
        `${text} `,
        `${text}${text}`,
        `1${text.slice(1)}`,
        `${text.slice(0, -1)}0`
      ]) {
        assert.isFalse(ConfirmHash.matches(other, expected), other)
      }
    })

    it.prop("agrees with equality, whatever the lengths", [Schema.String, Schema.String], ([a, b]) => {
      const [left, right] = [a.toWellFormed(), b.toWellFormed()]
      assert.strictEqual(ConfirmHash.matches(left, Redacted.make(right)), left === right)
      assert.isTrue(ConfirmHash.matches(left, Redacted.make(left)))
    })

    it.effect("makes 32 hexadecimal digits, another one each time", () =>
      Effect.gen(function* () {
        const first = yield* ConfirmHash.generate
        const decoded = yield* Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(Redacted.value(first))
        assert.strictEqual(Redacted.value(decoded), Redacted.value(first))
        assert.notStrictEqual(Redacted.value(yield* ConfirmHash.generate), Redacted.value(first))
      })
    )

    it.effect("shows neither a right nor a wrong one", () =>
      Effect.gen(function* () {
        const right = yield* Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(text)
        const error = yield* Effect.flip(Schema.decodeUnknownEffect(ConfirmHash.ConfirmHash)(text.toUpperCase()))
        assert.notInclude(`${String(right)} ${inspect(right)} ${String(error)}`.toLowerCase(), text)
      })
    )
  })
})
