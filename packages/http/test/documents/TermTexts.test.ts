import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@parcela/core/time/LocalDate"
import { termTexts } from "../../src/documents/Texts.ts"

const payday = LocalDate.make("2026-11-11")

describe("the texts of terms", () => {
  it("have a sentence for each term", () => {
    const Discount = { qtdDaysBeforePayDay: 2, type: "percent", value: 250 } as const
    assert.deepStrictEqual(termTexts({ fine: 200, interest: 100, Discount }, payday), [
      "Até 09/11/2026, desconto de 2,50%.",
      "Após o vencimento, multa de 2,00%.",
      "Após o vencimento, juros de 1,00% ao mês."
    ])
    assert.deepStrictEqual(termTexts({ Discount: { ...Discount, type: "fixed", value: 500 } }, payday), [
      "Até 09/11/2026, desconto de R$ 5,00."
    ])
  })

  it("are empty without terms, or if no day remains for a discount", () => {
    assert.deepStrictEqual(termTexts({}, payday), [])
    assert.deepStrictEqual(termTexts({ fine: 0, interest: 0 }, payday), [])
    const Discount = { qtdDaysBeforePayDay: 99_999_999_999, type: "fixed", value: 1 } as const
    assert.deepStrictEqual(termTexts({ Discount }, payday), [])
  })
})
