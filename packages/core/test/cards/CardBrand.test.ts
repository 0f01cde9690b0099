import { assert, describe, it } from "@effect/vitest"
import creditCardType from "credit-card-type"
import { Option, Schema } from "effect"
import { Brand } from "../../src/cards/Card.ts"
import * as CardBrand from "../../src/cards/CardBrand.ts"

const brandOf = (leading: string | number) =>
  Option.getOrElse(CardBrand.brandOf(String(leading).padEnd(16, "0")), () => "none")

describe("brandOf", () => {
  it.each([
    ["4111111111111111", "visa"],
    ["5454545454545454", "mastercard"],
    ["378282246310005", "amex"],
    ["341111111111111", "amex"],
    ["6011111111111117", "discover"],
    ["644000", "discover"],
    ["649999", "discover"],
    ["650000", "discover"],
    ["509999", "elo"],
    ["636368", "elo"],
    ["636369", "elo"],
    // Both ends of a range, and the neighbours outside the range.
    ["506698", "none"],
    ["506699", "elo"],
    ["506778", "elo"],
    ["506779", "none"],
    ["222099", "none"],
    ["222100", "mastercard"],
    ["272099", "mastercard"],
    ["272100", "none"],
    ["500000", "none"],
    ["510000", "mastercard"],
    ["559999", "mastercard"],
    ["560000", "none"],
    // Elo within Visa and within Discover, Hipercard within Diners.
    ["431274", "elo"],
    ["431275", "visa"],
    ["650034", "discover"],
    ["650035", "elo"],
    ["655020", "discover"],
    ["655021", "elo"],
    ["384100", "hipercard"],
    ["606282", "hipercard"],
    ["637612", "hipercard"],
    // Unsupported brands: Diners, JCB, Maestro, UnionPay.
    ["384101", "none"],
    ["360000", "none"],
    ["380000", "none"],
    ["390000", "none"],
    ["352800", "none"],
    ["676767", "none"],
    ["620000", "none"]
  ])("%s is %s", (leading, brand) => {
    assert.strictEqual(brandOf(leading), brand)
  })

  it.each(["", "4", "41111", "4x1111", "abcdef"])(
    "returns none for %j, which does not start with six digits",
    (text) => {
      assert.isTrue(Option.isNone(CardBrand.brandOf(text)))
    }
  )

  it("agrees with credit-card-type except for known differences", () => {
    const names: Record<string, string> = { "american-express": "amex", hiper: "hipercard" }
    const ours: ReadonlyArray<string> = CardBrand.CardBrandId.literals
    // 3841xx is Hipercard, which the oracle calls Diners; 636369 is Elo; 4029.., 4936.. and 5275.. are its Naranja
    // (Argentina) and Maestro; in 65 it knows Troy (Turkey), which no list for Brazil has.
    const known = new Set([384100, 384140, 384160, 636369, 402918, 493698, 527572])
    const prefixes = Array.from({ length: 9_000 }, (_, place) => 200_003 + place * 53)
    const edges = CardBrand.binRanges
      .flatMap(([, ranges]) => ranges.split(/[ -]/))
      .filter((edge) => edge.length === 6)
      .flatMap((edge) => [Number(edge) - 1, Number(edge), Number(edge) + 1])
    for (const prefix of [...prefixes, ...edges]) {
      const [best] = creditCardType(String(prefix))
      if (best?.type === "troy" || known.has(prefix)) continue
      const name = names[best?.type ?? ""] ?? best?.type ?? "none"
      assert.strictEqual(brandOf(prefix), ours.includes(name) ? name : "none", String(prefix))
    }
  })
})

describe("cardBrands", () => {
  it("contains every brand under its own id, in the interface's form", () => {
    for (const id of CardBrand.CardBrandId.literals) {
      const brand = CardBrand.cardBrands[id]
      assert.strictEqual(brand.id, id)
      assert.isTrue(Schema.is(Brand)(brand))
      assert.isAtLeast(brand.maxInstallment, 1)
      assert.match(brand.operatorIds, /^\w+(,\w+)*$/)
    }
  })

  it("contains number ranges in order, with ends of equal length", () => {
    for (const [, ranges] of CardBrand.binRanges) {
      for (const range of ranges.split(" ")) {
        const [first = "", last = first] = range.split("-")
        assert.match(range, /^\d+(-\d+)?$/)
        assert.strictEqual(first.length, last.length)
        assert.isTrue(first <= last)
      }
    }
  })
})
