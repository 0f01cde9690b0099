import { assert, describe, it } from "@effect/vitest"
import { CompanyId, Payee, payeeOf, pixMerchantOf } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { Schema } from "effect"

const company = (id: number, more: object = {}) => ({
  id: CompanyId.make(id),
  name: "Padaria São José",
  scopes: [],
  allowedAddresses: [],
  createdAt: MachineTime.make(0),
  ...more
})

describe("the payee of a company", () => {
  it("has the company's name, a valid CNPJ of its own and a city by default", () => {
    const [first, second] = [payeeOf(company(1)), payeeOf(company(2))]
    assert.strictEqual(first.legalName, "Padaria São José")
    assert.strictEqual(first.city, "São Paulo")
    assert.notStrictEqual(first.document, second.document)
    for (const id of [1, 2, 999_999, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      assert.isTrue(Schema.is(Payee)(payeeOf(company(id))), String(id))
    }
    assert.strictEqual(payeeOf(company(7, { name: "日本" })).legalName, "Company 7")
  })

  it("has the company's own values if they are set", () => {
    const given = {
      legalName: "Padaria Sete Ltda",
      document: Payee.fields.document.make("12ABC34501DE35"),
      city: "Recife"
    }
    assert.deepStrictEqual(payeeOf(company(1, given)), given)
  })

  it("appears in a Pix code without accents, with at most 25 and 15 characters", () => {
    const long = { legalName: "Associação dos Padeiros de São José", city: "São José do Rio Preto" }
    const payee = payeeOf(company(1, long))
    assert.deepStrictEqual(pixMerchantOf(payee), {
      merchantName: "Associacao dos Padeiros d",
      merchantCity: "Sao Jose do Rio"
    })
  })

  it("refuses a CPF, wrong check digits, and texts that become empty in a Pix code", () => {
    const isPayee = (more: object) => Schema.is(Payee)({ ...payeeOf(company(1)), ...more })
    for (const document of ["52998224725", "11222333000182", "1122233300018"]) assert.isFalse(isPayee({ document }))
    for (const text of ["", "日本"]) assert.isFalse(isPayee({ legalName: text }) || isPayee({ city: text }))
  })
})
