import { assert, describe, it } from "@effect/vitest"
import { crc16 } from "../../src/pix/PixBrCode.ts"

describe("Crc16", () => {
  // The check value of CRC-16/CCITT-FALSE, its initial value for no bytes, a value with leading zeros, and UTF-8 bytes.
  it.each([
    ["123456789", "29B1"],
    ["", "FFFF"],
    ["A", "B915"]
  ])("of %j is %s", (text, expected) => {
    assert.strictEqual(crc16(text), expected)
  })

  it("always has four digits", () => {
    const texts = Array.from({ length: 500 }, (_, index) => String(index))
    assert.isTrue(texts.every((text) => /^[0-9A-F]{4}$/.test(crc16(text))))
    assert.isTrue(texts.some((text) => crc16(text).startsWith("0")))
  })

  it("uses the bytes of UTF-8", () => {
    assert.notStrictEqual(crc16("ã"), crc16("a"))
    assert.strictEqual(crc16("ã"), crc16(new TextDecoder().decode(new Uint8Array([0xc3, 0xa3]))))
  })
})
