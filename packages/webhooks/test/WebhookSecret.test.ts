import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result, Schema } from "effect"
import { inspect } from "node:util"
import * as WebhookSecret from "../src/WebhookSecret.ts"

// The example of the standard's libraries.
const text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const ofBytes = (length: number) => `whsec_${Buffer.alloc(length, 1).toString("base64")}`
const problemOf = (text: string) =>
  Result.match(WebhookSecret.parse(text), {
    onFailure: (error) => error.problem,
    onSuccess: () => "none"
  })

describe("WebhookSecret", () => {
  it.effect.prop(
    "parses its own format",
    [
      Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))).check(
        Schema.isBetweenLength(24, 64)
      )
    ],
    ([bytes]) =>
      Effect.gen(function* () {
        const secret = yield* Effect.fromResult(WebhookSecret.fromBytes(Uint8Array.from(bytes)))
        const again = yield* Effect.fromResult(WebhookSecret.parse(WebhookSecret.format(secret)))
        assert.deepStrictEqual(Redacted.value(again), Redacted.value(secret))
      })
  )

  it("parses a text, a redacted text, and a text with surrounding white space", () => {
    const expected = [...Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")]
    for (const input of [text, Redacted.make(text), ` ${text}\n`]) {
      assert.deepStrictEqual([...Redacted.value(Result.getOrThrow(WebhookSecret.parse(input)))], expected)
    }
  })

  it("accepts 24 to 64 bytes", () => {
    assert.deepStrictEqual(
      [23, 24, 64, 65].map((length) => problemOf(ofBytes(length))),
      ["length", "none", "none", "length"]
    )
    assert.strictEqual(problemOf("whsec_"), "length")
  })

  it("names the problem without the secret", () => {
    assert.strictEqual(problemOf(text.slice("whsec_".length)), "prefix")
    assert.strictEqual(problemOf("whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), "prefix")
    for (const bad of [
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=",
      "whsec_MfKQ9r8GKYqrTwjUPD8I\nLPZIo2LaLaSw",
      "whsec_MfKQ9r8GKYqrTwjUPD8I LPZIo2LaLaSw",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
      // The last bits of the last letter are not part of a byte.
      `${ofBytes(25).slice(0, -3)}R==`
    ]) {
      assert.strictEqual(problemOf(bad), "base64")
    }
    const error = Result.getOrThrow(Result.flip(WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_")))
    assert.notInclude(inspect(error) + error.message, "MfKQ9")
  })

  it("is hidden in every output", () => {
    const secret = Result.getOrThrow(WebhookSecret.parse(text))
    assert.strictEqual(
      `${String(secret)} ${JSON.stringify({ secret })} ${String(WebhookSecret.format(secret))}`,
      `<redacted:webhook secret> {"secret":"<redacted:webhook secret>"} <redacted:webhook secret>`
    )
    assert.notInclude(inspect(secret, { depth: 9, showHidden: true }), "242")
  })

  it("copies its bytes", () => {
    const bytes = new Uint8Array(24).fill(1)
    const secret = Result.getOrThrow(WebhookSecret.fromBytes(bytes))
    bytes.fill(2)
    assert.strictEqual(Redacted.value(secret)[0], 1)
  })

  it.effect("generates a different secret of 32 bytes each time", () =>
    Effect.gen(function* () {
      const first = Redacted.value(yield* WebhookSecret.generate)
      assert.strictEqual(first.length, 32)
      assert.notDeepEqual(first, Redacted.value(yield* WebhookSecret.generate))
    }).pipe(Effect.provide(NodeCrypto.layerSecureRandom))
  )
})
