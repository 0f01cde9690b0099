import { assert, describe, it } from "@effect/vitest"
import * as BankLine from "@parcela/core/boleto/BankLine"
import { BoletoBarcode } from "@parcela/core/boleto/BoletoBarcode"
import { Cents } from "@parcela/core/money/Cents"
import { BusinessTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { nonEmptyString, string, Text } from "@parcela/core/values/Text"
import { TransactionStatus } from "@parcela/core/transactions/TransactionStatus"
import { DateTime, Effect, Schema } from "effect"
import { boletoPdf, type BoletoPdfInput } from "../../src/documents/BoletoPdf.ts"
import { beneficiary, boletoPayment, customer, slip, subscription } from "./fixtures/Payments.ts"
import * as PdfReader from "./fixtures/PdfReader.ts"

const input: BoletoPdfInput = { slip, transaction: boletoPayment, terms: subscription.boleto!, customer, beneficiary }
const draw = (changes: Partial<BoletoPdfInput> = {}) =>
  Effect.map(boletoPdf({ ...input, ...changes }), (bytes) => PdfReader.read(bytes))
const textsOf = ({ texts }: PdfReader.Drawn) => texts.map(({ text }) => text)

const mm = 72 / 25.4
const overlap = (a: PdfReader.Box, b: PdfReader.Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Texts keep to the sheet, off each other, and within the cell that they begin in. */
const assertTidy = ({ filled, frames, pages, texts }: PdfReader.Drawn) => {
  assert.strictEqual(pages, 1)
  texts.forEach((text, index) => {
    assert.isTrue(text.x > 14.9 * mm && text.x + text.width < 195.1 * mm && text.y > 0, `on the sheet: ${text.text}`)
    for (const other of [...texts.slice(index + 1), ...filled]) {
      assert.isFalse(overlap(text, other), `not over another: ${text.text}`)
    }
    for (const frame of frames.filter((frame) => overlap(text, frame))) {
      assert.isTrue(
        text.x >= frame.x &&
          text.x + text.width <= frame.x + frame.width + 0.01 &&
          text.y >= frame.y &&
          text.y + text.height <= frame.y + frame.height + 0.01,
        `within its cell: ${text.text}`
      )
    }
  })
}

/** Returns the digits that a scanner reads: five bars or spaces per digit, with two wide ones of the weights 1, 2, 4, 7 and 0. */
const scan = (bars: ReadonlyArray<PdfReader.Box>) => {
  const narrow = Math.min(...bars.map(({ width }) => width))
  const widths = bars.flatMap((bar, index) => {
    const next = bars[index + 1]
    return next === undefined ? [bar.width] : [bar.width, next.x - bar.x - bar.width]
  })
  const wide = widths.map((width) => Math.round(width / narrow) === 3)
  const digit = (elements: ReadonlyArray<boolean>) =>
    [1, 2, 4, 7, 0].reduce((sum, weight, place) => sum + (elements[place] === true ? weight : 0), 0) % 11
  const pairs = Array.from({ length: (wide.length - 7) / 10 }, (_, pair) => wide.slice(4 + pair * 10, 14 + pair * 10))
  return pairs
    .map((pair) => `${digit(pair.filter((_, at) => at % 2 === 0))}${digit(pair.filter((_, at) => at % 2 === 1))}`)
    .join("")
}

describe("BoletoPdf", () => {
  it.effect("prints the fields of both parts under their labels, with money and dates for people", () =>
    Effect.gen(function* () {
      const texts = textsOf(yield* draw())
      const times = (text: string) => texts.filter((printed) => printed === text).length
      assert.strictEqual(times("34191.09123 34567.890123 34567.890123 7 16560000012345"), 2)
      assert.strictEqual(times("341-7"), 2)
      for (const label of ["Beneficiário", "Vencimento", "Agência/Código do beneficiário", "Nosso número", "Pagador"]) {
        assert.strictEqual(times(label), 2, label)
      }
      for (const once of ["Recibo do pagador", "Local de pagamento", "Demonstrativo", "Ficha de compensação"]) {
        assert.strictEqual(times(once), 1, once)
      }
      for (const [value, count] of [
        ["10/12/2026", 2],
        ["R$ 123,45", 2],
        ["21/11/2026", 2],
        ["0001 / 0012345", 2],
        ["109/00000004711", 2],
        ["11.222.333/0001-81", 2],
        ["529.982.247-25", 2],
        ["João da Conceição Araújo", 2],
        ["Avenida Paulista, 1578, apto 12 - Bela Vista - São Paulo/SP - CEP 01310-100", 1],
        ["Mensalidade de dezembro de 2026", 1],
        ["Turma 3B, aluna Clara Araújo", 1],
        ["Senhor caixa: não conceder desconto.", 1],
        ["Após o vencimento, multa de 2,00%.", 1],
        ["Após o vencimento, juros de 1,00% ao mês.", 1],
        ["Não receber após 29 dias do vencimento.", 1]
      ] as const) {
        assert.strictEqual(times(value), count, value)
      }
      assert.isFalse(
        texts.some((text) => text.includes("internal note")),
        "the subscription's note is internal"
      )
    })
  )

  it.effect("prints the company's number of the document, else that of the payment, in both parts", () =>
    Effect.gen(function* () {
      const numbers = (texts: ReadonlyArray<string>, text: string) => texts.filter((one) => one === text).length
      assert.strictEqual(numbers(textsOf(yield* draw()), "4711"), 2)
      const given = textsOf(yield* draw({ terms: { documentNumber: "NF-2026/77" } }))
      assert.deepStrictEqual([numbers(given, "NF-2026/77"), numbers(given, "4711")], [2, 0])
    })
  )

  it.effect("is the same for the same input", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* boletoPdf(input), yield* boletoPdf(input))
    })
  )

  it.effect("prints the date of the slip in the time zone of the deployment", () =>
    Effect.gen(function* () {
      // 02:30 UTC is still the day before in São Paulo.
      const createdAt = BusinessTime.make(Date.UTC(2026, 10, 22, 2, 30))
      const transaction = { ...boletoPayment, createdAt }
      const zone = DateTime.zoneMakeNamedUnsafe("UTC")
      assert.include(textsOf(yield* draw({ transaction })), "21/11/2026")
      assert.include(textsOf(yield* draw({ transaction, zone })), "22/11/2026")
    })
  )

  it.effect.prop(
    "draws bars 103 mm wide and 13 mm high that scan to the barcode, and prints its own line",
    [BoletoBarcode],
    ([barcode]) =>
      Effect.gen(function* () {
        const drawn = yield* draw({ slip: { ...slip, barcode } })
        const [first, last] = [drawn.filled[0]!, drawn.filled.at(-1)!]
        assert.strictEqual(scan(drawn.filled), barcode)
        assert.closeTo(last.x + last.width - first.x, 103 * mm, 0.01)
        for (const bar of drawn.filled) assert.closeTo(bar.height, 13 * mm, 0.01)
        assert.include(textsOf(drawn), BankLine.format(BankLine.fromBarcode(barcode)))
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect.prop(
    "carries neither bars nor line, but the reason, unless the boleto is open",
    [TransactionStatus],
    ([status]) =>
      Effect.gen(function* () {
        const drawn = yield* draw({ transaction: { ...boletoPayment, status } })
        const open = status === "pendingBoleto" || status === "pendingPix"
        assert.strictEqual(drawn.filled.length > 0, open)
        assert.strictEqual(
          textsOf(drawn).some((text) => text.startsWith("34191.09123")),
          open
        )
        assert.strictEqual(
          textsOf(drawn).some((text) => text.includes("Não pague") || text.includes("não pode")),
          !open
        )
        assertTidy(drawn)
      }),
    { arbitrary: { runs: 40 } }
  )

  it.effect.prop(
    "keeps any text on the sheet and off other text",
    [string(255), nonEmptyString(255), Text, string(255)],
    ([address, name, additionalInfo, document]) =>
      Effect.gen(function* () {
        assertTidy(
          yield* draw({
            beneficiary: { ...beneficiary, name, address: name, bankName: name.slice(0, 40) },
            customer: {
              ...customer,
              name,
              document,
              address: { ...customer.address!, street: address, city: address }
            },
            terms: { instructions: address },
            transaction: { ...boletoPayment, additionalInfo }
          })
        )
      }),
    { arbitrary: { runs: 40 } }
  )

  it.effect("cuts long texts, but not the fields that the bank needs", () =>
    Effect.gen(function* () {
      const long = "Wanderlâyne Ł漢😀\u0000\u0007\t(x) \\ <b>&amp; "
      const w255 = "W".repeat(255)
      const drawn = yield* draw({
        beneficiary: { ...beneficiary, name: w255, address: w255, bankName: "W".repeat(40), wallet: "W".repeat(10) },
        slip: { ...slip, bankAgency: "9".repeat(255), bankAccount: "8".repeat(255) },
        customer: {
          ...customer,
          name: w255,
          document: w255,
          address: { ...customer.address!, street: w255, city: w255 }
        },
        terms: {
          fine: 99_999_999_999,
          interest: 99_999_999_999,
          deadlineDays: 99_999_999_999,
          instructions: "W\n".repeat(127)
        },
        transaction: {
          ...boletoPayment,
          id: SvcPayId.make(99_999_999_999),
          value: Cents.make(99_999_999_999),
          additionalInfo: long.repeat(30_000)
        }
      })
      assertTidy(drawn)
      const texts = textsOf(drawn)
      assert.include(texts, "34191.09123 34567.890123 34567.890123 7 16560000012345")
      assert.include(texts, "R$ 999.999.999,99")
      assert.include(texts, "11.222.333/0001-81")
      assert.include(texts, "Não receber após 99999999999 dias do vencimento.")
      assert.isTrue(texts.some((text) => text.startsWith("Wanderlâyne ??? (x) \\ <b>&amp; Wanderlâyne")))
      assert.strictEqual(scan(drawn.filled), slip.barcode)
    })
  )

  it.effect("refuses a barcode that no bank can read", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        boletoPdf({ ...input, slip: { ...slip, barcode: slip.barcode.replace("3", "4") } })
      )
      assert.strictEqual(error.check, "checkDigit")
    })
  )

  it.effect.each([
    ["001", "001-9"],
    ["104", "104-0"],
    ["237", "237-2"],
    ["756", "756-0"]
  ] as const)("prints bank %s with its check digit", ([bank, printed]) =>
    Effect.gen(function* () {
      const barcode = yield* Schema.decodeEffect(BoletoBarcode)(withBank(bank))
      assert.include(textsOf(yield* draw({ slip: { ...slip, barcode } })), printed)
    })
  )
})

/** The fixture's barcode at another bank: of the ten check digits one is right. */
const withBank = (bank: string): string =>
  Array.from({ length: 10 }, (_, digit) => `${bank}9${digit}${slip.barcode.slice(5)}`).find(Schema.is(BoletoBarcode))!
