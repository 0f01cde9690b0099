import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result, Schema } from "effect"
import * as fc from "fast-check"
import * as CardNumber from "../../src/cards/CardNumber.ts"

const decode = Schema.decodeUnknownResult(CardNumber.CardNumber)
const digits = (minimum: number, maximum: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: minimum, maxLength: maximum })

describe("CardNumber", () => {
  // Numbers that card brands and gateways publish for tests.
  it.each(["4111111111111111", "5454545454545454", "378282246310005", "6011111111111117", "4222222222222"])(
    "accepts the test number %s",
    (number) => {
      assert.isTrue(Result.isSuccess(decode(number)))
    }
  )

  it("accepts the public sandbox's card, whose check digit is wrong", () => {
    assert.isTrue(Result.isSuccess(decode("4211111111111111")))
  })

  it.each([
    ["4111 1111 1111 1111", "without dots"],
    ["4111.1111.1111.1111", "without dots"],
    [" 4111111111111111", "13 to 19 digits"],
    ["411111111116", "13 to 19 digits"],
    ["41111111111111111111", "13 to 19 digits"],
    ["", "13 to 19 digits"],
    ["٤١١١١١١١١١١١١١١١", "13 to 19 digits"],
    ["4111111111111112", "valid check digit"]
  ])("refuses %j and gives the reason", (number, why) => {
    const failure = Result.getOrThrow(Result.flip(decode(number)))
    assert.include(failure.message, why)
  })

  it("refuses a number that is not text", () => {
    assert.isTrue(Result.isFailure(decode(4111111111111111)))
  })

  it("never contains the refused number in its message", () => {
    const failure = Result.getOrThrow(Result.flip(decode("4111111111111112")))
    assert.notInclude(failure.message, "4111")
  })

  it.effect("hides a number from text and JSON, and returns it through Redacted.value", () =>
    Effect.gen(function* () {
      const number = yield* Schema.decodeUnknownEffect(CardNumber.RedactedCardNumber)("4111111111111111")
      assert.notInclude(`${String(number)} ${JSON.stringify({ number })}`, "4111")
      assert.strictEqual(Redacted.value(number), "4111111111111111")
      assert.strictEqual(yield* Schema.encodeEffect(CardNumber.RedactedCardNumber)(number), "4111111111111111")
    })
  )

  describe("Luhn", () => {
    it("computes the only check digit that makes a number valid", () => {
      fc.assert(
        fc.property(digits(1, 18), (body) => {
          const passing = [..."0123456789"].filter((digit) => CardNumber.isLuhn(body + digit))
          assert.deepStrictEqual(passing, [CardNumber.luhnCheckDigit(body)])
        })
      )
    })

    it("detects every swap of two neighbouring digits except 09 and 90", () => {
      fc.assert(
        fc.property(digits(12, 18), fc.nat(10), (body, place) => {
          const number = body + CardNumber.luhnCheckDigit(body)
          const [left, right] = [number.charAt(place), number.charAt(place + 1)]
          const swapped = number.slice(0, place) + right + left + number.slice(place + 2)
          const blind = left === right || [left + right, right + left].includes("09")
          assert.strictEqual(CardNumber.isLuhn(swapped), blind)
        })
      )
    })

    it.each(["", "0", "41111111x1111111", "4111 1111 1111 1111"])("refuses %j", (text) => {
      assert.isFalse(CardNumber.isLuhn(text))
    })
  })

  describe("mask", () => {
    it.each([
      ["4716659822394539", "4716********4539"],
      ["378282246310005", "3782*******0005"],
      ["4222222222222", "4222*****2222"]
    ])("masks %s as %s", (number, masked) => {
      assert.strictEqual(CardNumber.mask(number as CardNumber.CardNumber), masked)
    })

    it("has the length of the number and hides all but eight digits", () => {
      fc.assert(
        fc.property(digits(12, 18), (body) => {
          const number = Result.getOrThrow(decode(body + CardNumber.luhnCheckDigit(body)))
          const masked = CardNumber.mask(number)
          assert.strictEqual(masked.length, number.length)
          assert.strictEqual(masked.replaceAll("*", ""), number.slice(0, 4) + number.slice(-4))
        })
      )
    })
  })
})
