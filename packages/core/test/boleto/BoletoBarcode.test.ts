import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import {
  BoletoBarcode,
  BoletoBarcodeError,
  BoletoPartError,
  build,
  parse,
  partsOf,
  toItf,
  units
} from "../../src/boleto/BoletoBarcode.ts"
import { Cents } from "../../src/money/Cents.ts"
import { DueDateTooEarly, fromFactor } from "../../src/boleto/DueDateFactor.ts"
import { LocalDate } from "../../src/time/LocalDate.ts"
import bwipjs from "bwip-js"

const vector = "34197165600000123451091234567890123456789012"
const boleto = {
  bank: "341",
  dueDate: LocalDate.make("2026-12-10"),
  value: Cents.make(12_345),
  freeField: "1091234567890123456789012"
}

const failureOf = <A, E>(result: Result.Result<A, E>) => Option.getOrThrow(Result.getFailure(result))
const isBarcode = Schema.is(BoletoBarcode)

// The remainder that determines the check digit, computed independently of the code under test.
const remainder = (barcode: string) =>
  [...(barcode.slice(0, 4) + barcode.slice(5))]
    .toReversed()
    .reduce((sum, digit, index) => sum + Number(digit) * [2, 3, 4, 5, 6, 7, 8, 9][index % 8]!, 0) % 11

describe("BoletoBarcode", () => {
  it("builds and parses the test vector", () => {
    assert.deepStrictEqual(build(boleto), Result.succeed(BoletoBarcode.make(vector)))
    const parts = partsOf(Result.getOrThrow(parse(vector)))
    assert.deepStrictEqual(parts, {
      bank: "341",
      dueDateFactor: parts.dueDateFactor,
      value: Cents.make(12_345),
      freeField: "1091234567890123456789012"
    })
    assert.strictEqual(parts.dueDateFactor, "1656")
    assert.deepStrictEqual(fromFactor(parts.dueDateFactor, LocalDate.make("2026-11-21")), Option.some(boleto.dueDate))
  })

  it("writes 0000 without a due date, and accepts the largest value", () => {
    const { dueDate: _, ...undated } = boleto
    const barcode = Result.getOrThrow(build({ ...undated, value: Cents.make(9_999_999_999) }))
    assert.strictEqual(barcode.slice(5, 19), "00009999999999")
  })

  it("reports the part that does not fit", () => {
    const part = (change: Partial<Parameters<typeof build>[0]>) => failureOf(build({ ...boleto, ...change }))
    assert.deepStrictEqual(part({ bank: "34" }), new BoletoPartError({ part: "bank" }))
    assert.deepStrictEqual(part({ bank: "34A" }), new BoletoPartError({ part: "bank" }))
    assert.deepStrictEqual(part({ value: Cents.make(10_000_000_000) }), new BoletoPartError({ part: "value" }))
    assert.deepStrictEqual(part({ freeField: "1".repeat(24) }), new BoletoPartError({ part: "freeField" }))
    const dueDate = LocalDate.make("1999-12-31")
    assert.deepStrictEqual(part({ dueDate }), new DueDateTooEarly({ dueDate }))
    assert.strictEqual(part({ bank: "" }).message, "Cannot make a boleto: the bank is a code of 3 digits")
  })

  it("reports the first check that a text fails", () => {
    const check = (text: string) => failureOf(parse(text))
    assert.deepStrictEqual(check(`${vector.slice(1)}x`), new BoletoBarcodeError({ check: "characters" }))
    assert.deepStrictEqual(check(vector.slice(1)), new BoletoBarcodeError({ check: "length" }))
    assert.deepStrictEqual(check(vector.replace("3419", "3418")), new BoletoBarcodeError({ check: "currency" }))
    assert.deepStrictEqual(check(vector.replace("34197", "34196")), new BoletoBarcodeError({ check: "checkDigit" }))
    assert.strictEqual(
      check(vector.replace("34197", "34190")).message,
      "Not the barcode of a boleto: its check digit does not match, so at least one digit is wrong"
    )
  })

  it.prop("returns the parts from which it was built", [BoletoBarcode], ([barcode]) => {
    const { bank, dueDateFactor, freeField, value } = partsOf(barcode)
    const dueDate = Option.getOrUndefined(fromFactor(dueDateFactor, LocalDate.make("2026-11-21")))
    assert.deepStrictEqual(build({ bank, dueDate, freeField, value }), Result.succeed(barcode))
    assert.deepStrictEqual(parse(barcode), Result.succeed(barcode))
  })

  // The official modulo 11 writes 1 for the remainders 0, 1 and 10, so it cannot distinguish them.
  it.prop(
    "detects every change of one digit except between remainders that are all written as 1",
    [BoletoBarcode],
    ([barcode]) => {
      for (let place = 0; place < barcode.length; place++) {
        for (let digit = 0; digit < 10; digit++) {
          const changed = `${barcode.slice(0, place)}${digit}${barcode.slice(place + 1)}`
          const blind =
            place > 4 || place < 3
              ? [remainder(barcode), remainder(changed)].every((rest) => rest < 2 || rest === 10)
              : false
          assert.strictEqual(isBarcode(changed), changed === barcode || blind, changed)
        }
      }
    }
  )

  it("does not detect a changed value between two such remainders", () => {
    const lookalikes = Array.from({ length: 100 }, (_, cents) =>
      Result.getOrThrow(build({ ...boleto, value: Cents.make(cents) }))
    ).filter((barcode) => barcode[4] === "1")
    const pair = lookalikes.flatMap((first) =>
      lookalikes.filter((second) => [...first].filter((digit, place) => digit !== second[place]).length === 1)
    )
    assert.isNotEmpty(pair)
  })
})

// A digit is the sum of the weights 1, 2, 4, 7 of its wide elements (the last is parity); 11 stands for 0.
const digitOf = (elements: string) => {
  const sum = [1, 2, 4, 7, 0].reduce((total, weight, place) => total + (elements[place] === "3" ? weight : 0), 0)
  return sum % 11
}

// Decodes bars and spaces like a scanner.
const scan = (widths: string) => {
  let text = ""
  for (let from = 4; from < widths.length - 3; from += 10) {
    const pair = widths.slice(from, from + 10).split("")
    const bars = pair.filter((_, place) => place % 2 === 0).join("")
    const spaces = pair.filter((_, place) => place % 2 === 1).join("")
    text += `${digitOf(bars)}${digitOf(spaces)}`
  }
  return text
}

describe("Itf", () => {
  it("writes the first digit pair of the test vector between start and stop", () => {
    const widths = toItf(BoletoBarcode.make("34197165600000123451091234567890123456789012"))
    // Start 1111, then bars of 3 (wwnnn) with spaces of 4 (nnwnw).
    assert.strictEqual(widths.slice(0, 14), "11113131131113")
    assert.strictEqual(widths.slice(-3), "311")
  })

  it.prop(
    "can be decoded by a scanner, and always has 227 elements and the same width",
    [BoletoBarcode],
    ([barcode]) => {
      const widths = toItf(barcode)
      assert.strictEqual(scan(widths), barcode)
      assert.strictEqual(widths.length, 227)
      assert.strictEqual(
        [...widths].reduce((sum, width) => sum + Number(width), 0),
        units
      )
    }
  )

  it.prop("writes the same bars as bwip-js", [BoletoBarcode], ([barcode]) => {
    const [drawn] = bwipjs.raw("interleaved2of5", barcode, "") as unknown as readonly [
      { readonly sbs: ReadonlyArray<number> }
    ]
    // bwip-js writes a wide element as 2 instead of 3, and ends with a quiet space.
    const widths = drawn.sbs.slice(0, 227).map((width) => (width === 1 ? "1" : "3"))
    assert.strictEqual(toItf(barcode), widths.join(""))
  })
})
