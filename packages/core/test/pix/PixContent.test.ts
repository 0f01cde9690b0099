import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { plainText, PixDynamic, PixStatic } from "../../src/pix/PixContent.ts"

const merchant = { merchantName: "Loja", merchantCity: "Recife" }
const message = (schema: typeof PixStatic | typeof PixDynamic, input: unknown) =>
  Result.match(Schema.decodeUnknownResult(schema as Schema.Decoder<unknown>)(input), {
    onFailure: (error) => error.message,
    onSuccess: () => "accepted"
  })

describe("PixContent", () => {
  it.each([
    ["São José dos Campos", 15, "Sao Jose dos Ca"],
    ["ÁÉÍÓÚ âêô ãõ ç Ñ ü", 25, "AEIOU aeo ao c N u"],
    ["nº 1 – ½ ﬁm", 25, "no 1 - 1/2 fim"],
    ["  a \n b\u00a0c  ", 25, "a b c"],
    ["abcd e", 5, "abcd"],
    ["日本 😀", 25, ""]
  ])("converts %j to at most %d ASCII characters", (text, maximum, expected) => {
    assert.strictEqual(plainText(text, maximum), expected)
  })

  it.prop("converts any text to short ASCII text without outer spaces", [Schema.String], ([text]) => {
    assert.match(plainText(text, 10), /^$|^[!-~]([ -~]{0,8}[!-~])?$/)
    assert.strictEqual(plainText(plainText(text, 10), 10), plainText(text, 10))
  })

  it("refuses content that does not fit into a static code", () => {
    const content = { _tag: "PixStatic", key: "k", ...merchant }
    assert.strictEqual(message(PixStatic, content), "accepted")
    assert.include(message(PixStatic, { ...content, key: "a b" }), "Expected a Pix key of 1 to 77 characters")
    assert.include(message(PixStatic, { ...content, amount: 0 }), "Expected an amount above zero")
    assert.include(
      message(PixStatic, { ...content, key: "k".repeat(70), description: "four" }),
      "Expected a key and a description that have at most 73 characters together"
    )
  })

  it("refuses content that does not fit into a dynamic code", () => {
    const content = { _tag: "PixDynamic", location: "pix.example.com/1", ...merchant }
    assert.strictEqual(message(PixDynamic, content), "accepted")
    assert.include(message(PixDynamic, { ...content, location: "https://a" }), "Expected an address without https://")
  })
})
