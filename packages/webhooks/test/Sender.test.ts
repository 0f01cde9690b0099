import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { inspect } from "node:util"
import { ConfirmHash, generateConfirmHash } from "../src/Sender.ts"

const text = "0123456789abcdef0123456789abcdef"

describe("ConfirmHash", () => {
  layer(NodeCrypto.layerSecureRandom)((it) => {
    it.effect("generates 32 different hexadecimal digits each time", () =>
      Effect.gen(function* () {
        const first = yield* generateConfirmHash
        const decoded = yield* Schema.decodeUnknownEffect(ConfirmHash)(Redacted.value(first))
        assert.strictEqual(Redacted.value(decoded), Redacted.value(first))
        assert.notStrictEqual(Redacted.value(yield* generateConfirmHash), Redacted.value(first))
      })
    )

    it.effect("hides a valid and an invalid value", () =>
      Effect.gen(function* () {
        const right = yield* Schema.decodeUnknownEffect(ConfirmHash)(text)
        const error = yield* Effect.flip(Schema.decodeUnknownEffect(ConfirmHash)(text.toUpperCase()))
        assert.notInclude(`${String(right)} ${inspect(right)} ${String(error)}`.toLowerCase(), text)
      })
    )
  })
})
