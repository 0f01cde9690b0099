import { assert, describe, expect, it } from "@effect/vitest"
import { acquirerDenials, denials } from "@parcela/core/cards/AbecsCode"
import { brandOf } from "@parcela/core/cards/CardBrand"
import { CardNumber } from "@parcela/core/cards/CardNumber"
import { Option, Schema } from "effect"
import { behaviourOf, testCardOf, testCards } from "../src/TestCards.ts"
import { testCardPage } from "./fixtures/TestCardPage.ts"

const deniedWith = testCards.flatMap(({ behaviour, brand }) =>
  behaviour._tag === "Denied" ? [`${brand} ${behaviour.code}`] : []
)

describe("testCards", () => {
  it("has unique numbers that the service accepts, with unique names", () => {
    for (const { brand, number } of testCards) {
      assert.isTrue(Schema.is(CardNumber)(number), number)
      assert.deepStrictEqual(brandOf(number), Option.some(brand), number)
    }
    assert.strictEqual(new Set(testCards.map(({ number }) => number)).size, testCards.length)
    assert.strictEqual(new Set(testCards.map(({ name }) => name)).size, testCards.length)
  })

  it("has a card for every denial code of every brand, and of the acquirer", () => {
    const codes = Object.entries(denials).flatMap(([brand, known]) =>
      Object.keys(known).map((code) => `${brand} ${code}`)
    )
    assert.includeMembers(deniedWith, codes)
    assert.includeMembers(
      deniedWith,
      Object.keys(acquirerDenials).map((code) => `visa ${code}`)
    )
  })

  it("has the code in the ninth to the twelfth digit", () => {
    const numberOf = (name: string) => testCards.find((card) => card.name === name)?.number
    assert.strictEqual(numberOf("visa 51")?.slice(8, 12), "0051")
    assert.strictEqual(numberOf("visa N7")?.slice(8, 12), "1407")
    assert.strictEqual(numberOf("amex 121")?.slice(7, 11), "0121")
  })

  it("equals the table in docs/reference/test-cards.md", async () => {
    await expect(testCardPage).toMatchFileSnapshot("../../../docs/reference/test-cards.md")
  })
})

describe("testCardOf", () => {
  it.prop("returns nothing for a number that is not in the table", [CardNumber], ([number]) => {
    assert.strictEqual(
      testCardOf(number),
      testCards.find((card) => card.number === number)
    )
  })
})

describe("behaviourOf", () => {
  it("finds a card by its name, and captures an unknown name", () => {
    assert.deepInclude(behaviourOf("no funds"), { _tag: "Denied", code: "51" })
    assert.deepInclude(behaviourOf("no funds at first"), { _tag: "Denied", tries: 1 })
    assert.deepInclude(behaviourOf("expired"), { code: "54" })
    assert.deepInclude(behaviourOf("lost"), { code: "41" })
    assert.strictEqual(behaviourOf("captured")._tag, "Captured")
    assert.strictEqual(behaviourOf("of a later version")._tag, "Captured")
  })
})
