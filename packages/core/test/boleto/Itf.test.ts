import { assert, describe, it } from "@effect/vitest"
import bwipjs from "bwip-js"
import { BoletoBarcode, toItf, units } from "../../src/boleto/BoletoBarcode.ts"

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
