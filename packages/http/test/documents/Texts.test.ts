import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@parcela/core/time/LocalDate"
import * as Texts from "../../src/documents/Texts.ts"

const address = {
  zipCode: "01310100",
  street: "Rua A",
  number: "1",
  neighborhood: "Centro",
  city: "Natal",
  state: "RN"
}

describe("Formats", () => {
  it("formats a date with the day first", () => {
    assert.strictEqual(Texts.date(LocalDate.make("2026-02-03")), "03/02/2026")
  })

  it.each([
    ["52998224725", "529.982.247-25", "***.982.247-**"],
    ["11222333000181", "11.222.333/0001-81", "**.222.333/0001-**"],
    ["12ABC34501DE35", "12.ABC.345/01DE-35", "**.ABC.345/01DE-**"],
    ["52998224726", "52998224726", "***"],
    ["", "", "***"]
  ])("formats the document %j as %j, and masks it as %j", (text, whole, masked) => {
    assert.strictEqual(Texts.document(text), whole)
    assert.strictEqual(Texts.maskedDocument(text), masked)
  })

  it("formats an address as one line, without its empty parts", () => {
    assert.strictEqual(Texts.address(address), "Rua A, 1 - Centro - Natal/RN - CEP 01310-100")
    assert.strictEqual(Texts.address({ ...address, complement: "fundos" }).slice(0, 17), "Rua A, 1, fundos ")
    assert.strictEqual(
      Texts.address({ zipCode: "", street: "", number: "", neighborhood: "", city: "", state: "RN" }),
      "RN"
    )
  })
})
