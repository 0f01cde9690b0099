import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils"
import { assert, describe, it } from "@effect/vitest"
import { cnpj, cpf } from "cpf-cnpj-validator"
import { Result, Schema } from "effect"
import {
  cnpjCheckDigits,
  cpfCheckDigits,
  Document,
  DocumentAlphanumeric,
  format,
  kindOf
} from "../../src/customers/Document.ts"

const message = (schema: typeof Document | typeof DocumentAlphanumeric, input: unknown) =>
  Result.match(Schema.decodeUnknownResult(schema)(input), { onFailure: (e) => e.message, onSuccess: () => "accepted" })

const isDocument = Schema.is(Document)
const isAlphanumeric = Schema.is(DocumentAlphanumeric)

const oracleAccepts = (text: string) => (text.length === 11 ? isValidCpf(text) : isValidCnpj(text, { version: 2 }))
const secondOracleAccepts = (text: string) => (text.length === 11 ? cpf.isValid(text) : cnpj.isValid(text))

describe("Document", () => {
  it.each(["52998224725", "11144477735", "11222333000181", "00000000000191"])("accepts %s", (text) => {
    assert.isTrue(isDocument(text))
    assert.isTrue(isAlphanumeric(text))
  })

  it("computes the check digits of the official alphanumeric example, 12.ABC.345/01DE-35", () => {
    assert.strictEqual(cnpjCheckDigits("12ABC34501DE"), "35")
    assert.isTrue(isAlphanumeric("12ABC34501DE35"))
    assert.isFalse(isDocument("12ABC34501DE35"))
  })

  it("computes check digits of zero if the remainder is below two", () => {
    assert.strictEqual(cpfCheckDigits("111444777"), "35")
    assert.strictEqual(cpfCheckDigits("000000000"), "00")
    assert.strictEqual(cnpjCheckDigits("000000000000"), "00")
  })

  it.each(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])("refuses %s repeated", (digit) => {
    assert.strictEqual(message(Document, digit.repeat(11)), "Expected a number that is not one digit repeated")
    assert.strictEqual(
      message(DocumentAlphanumeric, digit.repeat(14)),
      "Expected a number that is not one digit repeated"
    )
  })

  it("reports the problem of a refused text", () => {
    assert.strictEqual(message(Document, 52998224725), "Expected string")
    assert.strictEqual(message(Document, "529.982.247-25"), "Expected digits only, without punctuation")
    assert.strictEqual(message(Document, "12ABC34501DE35"), "Expected digits only, without punctuation")
    assert.strictEqual(message(Document, "5299822472"), "Expected 11 (CPF) or 14 (CNPJ) digits")
    assert.strictEqual(message(Document, ""), "Expected 11 (CPF) or 14 (CNPJ) digits")
    assert.strictEqual(
      message(Document, "52998224726"),
      "Expected a CPF or CNPJ whose last two digits (the check digits) match the rest"
    )
    assert.strictEqual(
      message(DocumentAlphanumeric, "12abc34501de35"),
      "Expected digits and capital letters only, without punctuation"
    )
    assert.strictEqual(message(DocumentAlphanumeric, "12ABC34501DE"), "Expected 11 (CPF) or 14 (CNPJ) characters")
    assert.strictEqual(
      message(DocumentAlphanumeric, "5299822472A"),
      "Expected digits only in a CPF and in the last two places of a CNPJ"
    )
    assert.strictEqual(
      message(DocumentAlphanumeric, "12ABC34501DEAA"),
      "Expected digits only in a CPF and in the last two places of a CNPJ"
    )
  })

  it("is formatted with punctuation", () => {
    assert.strictEqual(format(Document.make("52998224725")), "529.982.247-25")
    assert.strictEqual(format(Document.make("11222333000181")), "11.222.333/0001-81")
    assert.strictEqual(format(DocumentAlphanumeric.make("12ABC34501DE35")), "12.ABC.345/01DE-35")
  })

  it("passes unchanged through JSON and query codecs, which still refuse wrong digits", () => {
    for (const codec of [Schema.toCodecJson(Document), Schema.toCodecStringTree(Document)]) {
      const decode = Schema.decodeUnknownResult(codec)
      assert.deepStrictEqual(decode("52998224725"), Result.succeed(Document.make("52998224725")))
      assert.isTrue(Result.isFailure(decode("52998224726")))
      assert.strictEqual(Schema.encodeSync(codec)(Document.make("52998224725")), "52998224725")
    }
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(Document).schema, {
      type: "string",
      pattern: "^(\\d{11}|\\d{14})$"
    })
  })

  it.prop("generates valid CPFs and CNPJs, and the oracles agree", [Document], ([document]) => {
    assert.isTrue(isDocument(document) && isAlphanumeric(document))
    assert.strictEqual(kindOf(document), document.length === 11 ? "cpf" : "cnpj")
    assert.isTrue(oracleAccepts(document) && secondOracleAccepts(document))
  })

  it.prop("agrees with the oracles about letters", [DocumentAlphanumeric], ([document]) => {
    assert.isTrue(secondOracleAccepts(document))
    assert.isTrue(oracleAccepts(document))
    // @brazilian-utils needs { version: 2 } to accept a CNPJ with letters; IN RFB 2.229/2024 defines these numbers.
    if (/[A-Z]/.test(document)) assert.isFalse(isValidCnpj(document))
  })

  it.prop(
    "agrees with the oracles about any 11 or 14 digits",
    [Schema.String.check(Schema.isPattern(/^(\d{11}|\d{14})$/))],
    ([text]) => {
      assert.strictEqual(isDocument(text), oracleAccepts(text))
      assert.strictEqual(isDocument(text), secondOracleAccepts(text))
    }
  )

  // The results 10 and 11 are both written as 0, so a first check digit of 0 cannot distinguish them.
  it.prop("detects every change of one digit unless the first check digit is 0", [Document], ([document]) => {
    for (let place = 0; place < document.length; place++) {
      for (let digit = 0; digit < 10; digit++) {
        const changed = `${document.slice(0, place)}${digit}${document.slice(place + 1)}`
        const blind = document.at(-2) === "0" && place < document.length - 2
        if (changed !== document && !blind) assert.isFalse(isDocument(changed), changed)
      }
    }
  })

  it("does not detect errors that the official rule does not detect", () => {
    // Two CPFs that differ in one digit and are both valid for every oracle.
    for (const text of ["34950567004", "44950567004"]) {
      assert.isTrue(isDocument(text) && oracleAccepts(text) && secondOracleAccepts(text))
    }
    // 6, A, L and W have the values 6, 17, 28 and 39: the same modulo 11.
    for (const text of ["126BC34501DE35", "12ABC34501DE35", "12LBC34501DE35", "12WBC34501DE35"]) {
      assert.isTrue(isAlphanumeric(text) && oracleAccepts(text) && secondOracleAccepts(text))
    }
  })
})
