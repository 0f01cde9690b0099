import { generatePixPayload, getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { hasError, parsePix } from "pix-utils"
import { Cents } from "../../src/money/Cents.ts"
import { crc16, build, parse, PixBrCode, PixBrCodeError, PixPartError } from "../../src/pix/PixBrCode.ts"
import { PixDynamic, PixStatic } from "../../src/pix/PixContent.ts"
import { StaticTxid } from "../../src/pix/PixIdentifiers.ts"

// The static and the dynamic example of the Banco Central's manual.
const manual = {
  static:
    "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
  dynamic:
    "00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4"
}
const fulano: PixStatic = {
  _tag: "PixStatic",
  key: "123e4567-e12b-12d1-a456-426655440000",
  merchantName: "Fulano de Tal",
  merchantCity: "BRASILIA"
}
const charge: PixDynamic = {
  _tag: "PixDynamic",
  location: "pix.example.com/8b3da2f39a4140d1a91abd93113bd441",
  merchantName: "Fulano de Tal",
  merchantCity: "BRASILIA"
}

const isCode = Schema.is(PixBrCode)
const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`
const checkOf = (text: string) => Option.getOrThrow(Result.getFailure(parse(text))).check
const partOf = (content: PixStatic | PixDynamic) => Option.getOrThrow(Result.getFailure(build(content))).part
const written = (content: PixStatic | PixDynamic) => Result.getOrThrow(build(content))

describe("PixBrCode", () => {
  it("builds and parses the manual's static example", () => {
    assert.strictEqual(written(fulano), manual.static)
    assert.deepStrictEqual(parse(manual.static), Result.succeed(fulano))
  })

  it("builds and parses the manual's dynamic example", () => {
    assert.strictEqual(written(charge), manual.dynamic)
    assert.deepStrictEqual(parse(manual.dynamic), Result.succeed(charge))
  })

  it("contains amount, description and txid of a static code", () => {
    const content = { ...fulano, description: "Pedido 7", amount: Cents.make(1_205), txid: StaticTxid.make("P7") }
    const code = written(content)
    assert.include(code, "0208Pedido 7")
    assert.include(code, "540512.05")
    assert.include(code, "62060502P7")
    assert.deepStrictEqual(parse(code), Result.succeed(content))
  })

  it("removes accents, and refuses texts that are then too long", () => {
    const code = written({ ...fulano, merchantName: "  Ação & Coração\tLtda. ", merchantCity: "São José" })
    assert.include(code, "5920Acao & Coracao Ltda.60")
    assert.include(code, "6008Sao Jose62")
    assert.strictEqual(partOf({ ...fulano, merchantName: "Águas e Saneamento do Brasil" }), "merchantName")
  })

  it("reports the part that does not fit", () => {
    assert.strictEqual(partOf({ ...fulano, merchantName: "" }), "merchantName")
    assert.strictEqual(partOf({ ...fulano, merchantName: "日本" }), "merchantName")
    assert.strictEqual(partOf({ ...fulano, merchantCity: "S".repeat(16) }), "merchantCity")
    assert.strictEqual(partOf({ ...fulano, key: "" }), "key")
    assert.strictEqual(partOf({ ...fulano, key: "k".repeat(78) }), "key")
    assert.strictEqual(partOf({ ...fulano, key: "joão@example.com" }), "key")
    assert.strictEqual(partOf({ ...fulano, description: "" }), "description")
    assert.strictEqual(partOf({ ...fulano, amount: Cents.make(0) }), "amount")
    assert.strictEqual(partOf({ ...fulano, txid: "***" as StaticTxid }), "txid")
    assert.strictEqual(partOf({ ...fulano, description: "d".repeat(38) }), "account")
    assert.isTrue(isCode(written({ ...fulano, description: "d".repeat(37) })))
    assert.strictEqual(partOf({ ...charge, location: "https://pix.example.com/1" }), "location")
    assert.strictEqual(partOf({ ...charge, location: "p".repeat(78) }), "location")
    assert.strictEqual(
      new PixPartError({ part: "location" }).message,
      "Cannot make a Pix code: the location has 1 to 77 characters, without spaces and without https://"
    )
  })

  it("has at most 235 characters, so it always fits into the interface's 255", () => {
    const longest = written({
      _tag: "PixStatic",
      key: "k".repeat(36),
      description: "d".repeat(37),
      amount: Cents.make(99_999_999_999),
      merchantName: "N".repeat(25),
      merchantCity: "C".repeat(15),
      txid: StaticTxid.make("t".repeat(25))
    })
    assert.strictEqual(longest.length, 235)
  })

  it("parses objects in any order, other systems' accounts and unknown objects", () => {
    const code = sealed(
      "000201" +
        "6008BRASILIA5802BR5913Fulano de Tal5303986540410.5" +
        "2612" +
        "0008other.io" +
        "2738" +
        "0110chave@a.br" +
        "0014BR.GOV.BCB.PIX" +
        "0202oi" +
        "8012" +
        "0008other.io" +
        "52045812"
    )
    assert.deepStrictEqual(
      parse(code),
      Result.succeed({
        _tag: "PixStatic" as const,
        key: "chave@a.br",
        description: "oi",
        amount: Cents.make(1_050),
        merchantName: "Fulano de Tal",
        merchantCity: "BRASILIA"
      })
    )
  })

  it("parses an amount of zero as no amount", () => {
    const body = manual.static.slice(0, -8)
    assert.deepStrictEqual(parse(sealed(body.replace("5802BR", "54040.005802BR"))), Result.succeed(fulano))
  })

  it("reports the first check that a text fails", () => {
    const body = manual.static.slice(0, -8)
    const change = (from: string, to: string) => checkOf(sealed(body.replace(from, to)))
    assert.strictEqual(checkOf(""), "crc")
    assert.strictEqual(checkOf(manual.static.slice(0, -1)), "crc")
    assert.strictEqual(checkOf(manual.static.toLowerCase()), "crc")
    assert.strictEqual(change("Fulano", "Fuláno"), "characters")
    assert.strictEqual(change("000201", "000202"), "structure")
    assert.strictEqual(change("000201", ""), "structure")
    assert.strictEqual(change("5913", "5999"), "structure")
    assert.strictEqual(change("5802BR", "5802BR5802BR"), "structure")
    assert.strictEqual(change("62070503", "62070509"), "structure")
    assert.strictEqual(change("br.gov.bcb.pix", "br.gov.bcb.xip"), "account")
    assert.strictEqual(change("0136", "0336"), "account")
    assert.strictEqual(change("5204", "27180014br.gov.bcb.pix5204"), "account")
    assert.strictEqual(change("5303986", "5303840"), "currency")
    assert.strictEqual(change("5802BR", "5802AR"), "country")
    assert.strictEqual(change("5802BR", "54041,005802BR"), "amount")
    assert.strictEqual(change("5913Fulano de Tal", ""), "merchant")
    assert.strictEqual(change("6008BRASILIA", "6016BRASILIABRASILIA"), "merchant")
    assert.strictEqual(change("52040000", ""), "merchant")
    assert.strictEqual(change("62070503***", "62070503*-*"), "txid")
    // The checksum must be the last object.
    assert.strictEqual(checkOf(sealed(`${body}9908`)), "structure")
    assert.strictEqual(
      new PixBrCodeError({ check: "crc" }).message,
      "Not a Pix code: its last four characters do not match the rest, so it is incomplete or changed"
    )
  })

  it.each(Object.entries(manual))("detects every change of one character of the %s example", (_, code) => {
    const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
    for (let place = 0; place < code.length; place++) {
      for (const character of [...printable, "ã", "\n"]) {
        const changed = `${code.slice(0, place)}${character}${code.slice(place + 1)}`
        if (changed !== code) assert.isTrue(Result.isFailure(parse(changed)), changed)
      }
    }
  })

  it("refuses more than 255 characters as a PixBrCode", () => {
    const body = manual.static.slice(0, -8)
    const long = sealed(`${body}8099${"x".repeat(99)}8199${"x".repeat(99)}`)
    assert.isTrue(Result.isSuccess(parse(long)))
    assert.isFalse(isCode(long))
  })

  it.prop("parses the static code that it built", [PixStatic], ([content]) => {
    assert.deepStrictEqual(Result.flatMap(build(content), parse), Result.succeed(content))
  })

  it.prop("parses the dynamic code that it built", [PixDynamic], ([content]) => {
    assert.deepStrictEqual(Result.flatMap(build(content), parse), Result.succeed(content))
  })

  it.prop("generates valid codes, and builds the same code from its parts", [PixBrCode], ([code]) => {
    assert.deepStrictEqual(Result.flatMap(parse(code), build), Result.succeed(code))
  })

  it.prop("is parsed by pix-utils with the same result", [PixBrCode], ([code]) => {
    const read = parsePix(code)
    const ours = Result.getOrThrow(parse(code))
    assert.isFalse(hasError(read))
    const expected =
      ours._tag === "PixDynamic"
        ? { url: ours.location }
        : { pixKey: ours.key, txid: ours.txid ?? "***", transactionAmount: (ours.amount ?? 0) / 100 }
    assert.containSubset(read, { merchantName: ours.merchantName, merchantCity: ours.merchantCity, ...expected })
  })

  it("is built and parsed by @brazilian-utils with the same result", () => {
    const names = { merchantName: "Fulano de Tal", merchantCity: "BRASILIA" }
    assert.strictEqual(written(charge), generatePixPayload({ url: charge.location, ...names }))
    for (const key of [fulano.key, "52998224725", "fulano@example.com", "+5511987654321"]) {
      for (const amount of [1, 99, 100, 123_456]) {
        const code = written({ ...fulano, key, amount: Cents.make(amount), txid: StaticTxid.make("abc123") })
        assert.strictEqual(code, generatePixPayload({ key, ...names, amount: amount / 100, txid: "abc123" }))
        assert.isTrue(isValidPixPayload(code))
        assert.strictEqual(getPixPayloadInfo(code)?.key, key)
      }
    }
  })
})

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
