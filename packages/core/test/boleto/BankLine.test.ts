import { getBoletoInfo, isValidBoleto } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { BankLine, BankLineError, format, fromBarcode, parse, toBarcode } from "../../src/boleto/BankLine.ts"
import { BoletoBarcode, partsOf } from "../../src/boleto/BoletoBarcode.ts"

const barcode = BoletoBarcode.make("34197165600000123451091234567890123456789012")
const vector = "34191091233456789012334567890123716560000012345"

const isLine = Schema.is(BankLine)
const checkOf = (text: string) => Option.getOrThrow(Result.getFailure(parse(text))).check

describe("BankLine", () => {
  it("converts the test vector in both directions", () => {
    assert.strictEqual(fromBarcode(barcode), vector)
    assert.deepStrictEqual(Result.map(parse(vector), toBarcode), Result.succeed(barcode))
  })

  it("is formatted for printing and parsed again", () => {
    const written = format(fromBarcode(barcode))
    assert.strictEqual(written, "34191.09123 34567.890123 34567.890123 7 16560000012345")
    assert.deepStrictEqual(parse(written), Result.succeed(BankLine.make(vector)))
    assert.deepStrictEqual(parse(` 34191-09123\t34567.890123\n34567 890123 7 16560000012345 `), parse(vector))
  })

  it("reports the first check that a text fails", () => {
    const swap = (place: number) =>
      `${vector.slice(0, place)}${(Number(vector[place]) + 1) % 10}${vector.slice(place + 1)}`
    assert.strictEqual(checkOf("boleto"), "characters")
    assert.strictEqual(checkOf(""), "length")
    assert.strictEqual(checkOf(`${vector}0`), "length")
    assert.deepStrictEqual([0, 3, 8, 9].map(swap).map(checkOf), ["field1", "field1", "field1", "field1"])
    assert.deepStrictEqual([10, 19, 20].map(swap).map(checkOf), ["field2", "field2", "field2"])
    assert.deepStrictEqual([21, 30, 31].map(swap).map(checkOf), ["field3", "field3", "field3"])
    assert.deepStrictEqual([32, 33, 46].map(swap).map(checkOf), ["checkDigit", "checkDigit", "checkDigit"])
    assert.strictEqual(
      new BankLineError({ check: "field2" }).message,
      "Not the typeable line of a boleto: digits 11 to 21 do not match their check digit, the 21st"
    )
  })

  it.prop("converts to a barcode and back, and is formatted and parsed again", [BankLine], ([line]) => {
    assert.strictEqual(fromBarcode(toBarcode(line)), line)
    assert.deepStrictEqual(parse(format(line)), Result.succeed(line))
  })

  it.prop("agrees with the oracle", [BankLine], ([line]) => {
    assert.isTrue(isValidBoleto(line))
    const info = getBoletoInfo(line, { referenceDate: new Date(2026, 10, 21) })
    const { bank, value } = partsOf(toBarcode(line))
    assert.deepStrictEqual([info?.bankCode, info?.amount], [bank, value])
  })

  it("requires the currency digit 9, which the oracle does not check", () => {
    const real = "00190000090114971860168524522114675860000102656"
    const other = "86919384612876769275090795953430904820167124254"
    assert.isTrue(isValidBoleto(real) && isLine(real))
    assert.isTrue(isValidBoleto(other))
    // FEBRABAN: the 4th digit is the currency, 9 for the real.
    assert.isFalse(isLine(other))
    assert.strictEqual(checkOf(other), "currency")
  })

  it.prop("detects every change of one digit in the fields with a check digit", [BankLine], ([line]) => {
    for (let place = 0; place < 33; place++) {
      for (let digit = 0; digit < 10; digit++) {
        const changed = `${line.slice(0, place)}${digit}${line.slice(place + 1)}`
        assert.strictEqual(isLine(changed), changed === line, changed)
      }
    }
  })

  // Due date and value are protected only by the barcode's check digit, which misses some errors if it is 1.
  it.prop(
    "detects every change of one digit of due date or value unless the check digit is 1",
    [BankLine],
    ([line]) => {
      for (let place = 33; place < 47; place++) {
        for (let digit = 0; digit < 10; digit++) {
          const changed = `${line.slice(0, place)}${digit}${line.slice(place + 1)}`
          if (line[32] !== "1") assert.strictEqual(isLine(changed), changed === line, changed)
          // An undetected change is valid according to the official rule too: the oracle accepts it.
          assert.strictEqual(isLine(changed), isValidBoleto(changed), changed)
        }
      }
    }
  )
})
