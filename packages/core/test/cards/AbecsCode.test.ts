import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as AbecsCode from "../../src/cards/AbecsCode.ts"
import { CardBrandId } from "../../src/cards/CardBrand.ts"

const kindOf = (brand: CardBrandId, code: string) =>
  Option.match(AbecsCode.lookup(brand, code), { onNone: () => "unknown", onSome: ({ kind }) => kind })

// The codes of the norm by brand and kind, written independently of the module's table.
const published: ReadonlyArray<[brand: CardBrandId, kind: AbecsCode.DenialKind, codes: string]> = [
  ["elo", "reversible", "04 05 06 38 51 55 59 61 62 65 75 78 91 96 P6"],
  ["elo", "irreversible", "12 13 14 19 23 30 41 43 46 54 56 57 58 63 64 76 77 82 83 AB AC FM P5"],
  ["visa", "reversible", "05 51 55 59 61 62 65 75 78 86 91 96 B1 B2 N0 N4"],
  [
    "visa",
    "irreversible",
    "03 04 06 07 12 13 14 15 19 39 41 43 46 52 53 54 57 58 64 74 76 81 82 92 93 94 6P N3 N7 N8 R0 R1 R2 R3"
  ],
  ["mastercard", "reversible", "05 51 55 57 61 63 65 75 91 96"],
  ["mastercard", "irreversible", "01 03 04 12 13 14 15 25 28 30 41 43 54 58 62 88 92 94"],
  ["mastercard", "byAdvice", "79 82 83"],
  ["hipercard", "reversible", "05 51 55 57 61 63 65 75 91 96"],
  ["hipercard", "irreversible", "01 03 04 12 13 14 15 25 28 30 41 43 54 58 62 88 92 94"],
  ["amex", "reversible", "100 106 116 117 121 911 912"],
  ["amex", "irreversible", "101 109 110 115 122 180 181 200"]
]

describe("AbecsCode", () => {
  it.each(published)("%s has as %s: %s", (brand, kind, codes) => {
    const inTable = Object.keys(AbecsCode.denials[brand]).filter((code) => kindOf(brand, code) === kind)
    assert.deepStrictEqual(inTable.sort(), codes.split(" ").sort())
  })

  // The same code has different meanings for different brands.
  it.each([
    ["06", "elo", "reversible", "visa", "irreversible"],
    ["04", "elo", "reversible", "visa", "irreversible"],
    ["57", "mastercard", "reversible", "visa", "irreversible"],
    ["62", "visa", "reversible", "mastercard", "irreversible"],
    ["63", "mastercard", "reversible", "elo", "irreversible"],
    ["82", "mastercard", "byAdvice", "hipercard", "unknown"]
  ] as const)("distinguishes %s of %s (%s) from the same code of %s (%s)", (code, one, oneKind, other, otherKind) => {
    assert.strictEqual(kindOf(one, code), oneKind)
    assert.strictEqual(kindOf(other, code), otherKind)
  })

  it("accepts a code without its leading zero and in lower case", () => {
    assert.deepStrictEqual(AbecsCode.lookup("visa", "5"), AbecsCode.lookup("visa", "05"))
    assert.deepStrictEqual(AbecsCode.lookup("visa", "n7"), AbecsCode.lookup("visa", "N7"))
    assert.isTrue(Option.isSome(AbecsCode.lookup("visa", "5")))
  })

  it.each(["", "00", "ZZ", "999", "constructor", "__proto__", "toString"])(
    "returns none for the unknown code %j",
    (code) => {
      for (const brand of CardBrandId.literals) assert.isTrue(Option.isNone(AbecsCode.lookup(brand, code)))
    }
  )

  it("returns the acquirer's own codes for every brand, and no other code for Discover", () => {
    for (const brand of CardBrandId.literals) {
      for (const code of ["60", "67", "70", "89"]) assert.strictEqual(kindOf(brand, code), "reversible")
    }
    assert.strictEqual(kindOf("discover", "51"), "unknown")
  })

  it("has codes and messages within the interface's limits, and no acquirer code in a brand's table", () => {
    for (const brand of CardBrandId.literals) {
      for (const [code, { message }] of Object.entries(AbecsCode.denials[brand])) {
        assert.isTrue(Schema.is(AbecsCode.AbecsCode)(code))
        assert.isTrue(message.length > 0 && message.length <= 255)
        assert.notProperty(AbecsCode.acquirerDenials, code)
      }
    }
  })

  it("refuses a code of five characters", () => {
    assert.isFalse(Schema.is(AbecsCode.AbecsCode)("BP176"))
  })
})
