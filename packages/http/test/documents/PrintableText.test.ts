import { assert, describe, it } from "@effect/vitest"
import { Text } from "@parcela/core/values/Text"
import { Schema } from "effect"
import { linesOf, printable } from "../../src/documents/Sheet.ts"

const length = (line: string) => line.length
const lines = (text: string, maximum = 3, width = 10) => linesOf(text, { maximum, width, widthOf: length })
const windows1252 = new TextDecoder("windows-1252")
const encodable = new Set(windows1252.decode(Uint8Array.from({ length: 224 }, (_, index) => index + 32)))

describe("PrintableText", () => {
  it.each([
    ["Conceição & Müller € 5 – “sim”", "Conceição & Müller € 5 – “sim”"],
    ["Conceic\u0327a\u0303o", "Conceição"],
    ["Paweł Dvořák ﬁm", "Pawe? Dvorák fim"],
    ["a\tb\u00a0c\u3000d", "a b c d"],
    ["a\u0000\u0007b\u200b\u202ec\u00ad", "abc"],
    ["漢字 😀", "?? ?"]
  ])("converts %j to %j", (text, expected) => {
    assert.strictEqual(printable(text), expected)
  })

  it.prop("contains only characters of WinAnsiEncoding", [Text], ([text]) => {
    assert.isTrue([...printable(text)].every((character) => encodable.has(character)))
  })

  it("breaks between words, and words that are too wide", () => {
    assert.deepStrictEqual(lines("um dois tres"), ["um dois", "tres"])
    assert.deepStrictEqual(lines("a bcdefghijklmnop q"), ["a", "bcdefghijk", "lmnop q"])
    assert.deepStrictEqual(lines("abcdefghij"), ["abcdefghij"])
    assert.deepStrictEqual(lines("abcdefghij klmnopqrst uvwxyzabcd"), ["abcdefghij", "klmnopqrst", "uvwxyzabcd"])
  })

  it("preserves the line breaks of the text", () => {
    assert.deepStrictEqual(lines("a\r\nb\n\nc", 4), ["a", "b", "", "c"])
  })

  it("marks cut text with an ellipsis", () => {
    assert.deepStrictEqual(lines("um dois tres quatro cinco", 2), ["um dois", "tres…"])
    assert.deepStrictEqual(lines("a\nb\nc", 2), ["a", "b…"])
    assert.deepStrictEqual(lines("abcdefghijk", 1), ["abcdefghi…"])
    assert.deepStrictEqual(lines("a", 0), [])
    // Far longer than a page, though nothing of it is seen.
    assert.deepStrictEqual(lines(`a${"\u200b".repeat(9000)}b`, 2), ["a…"])
  })

  it.prop(
    "never has a line too wide or too many lines, and cuts only what does not fit",
    [Text, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))],
    ([text, maximum]) => {
      const broken = lines(text, maximum)
      assert.isAtMost(broken.length, maximum)
      assert.isTrue(broken.every((line) => line.length <= 10))
      const letters = (shown: string) => printable(shown.replace(/[\n\r\u2028\u2029]/g, " ")).replaceAll(" ", "")
      const all = letters(text)
      const shown = letters(broken.join(" "))
      assert.isTrue(shown === all || all.startsWith(shown.slice(0, -1)))
    }
  )
})
