import { assert, describe, it } from "@effect/vitest"
import { refusalDetails, refuse } from "@parcela/core/errors/BillingError"
import { CardExpiry } from "@parcela/core/cards/Card"
import { CardNumber } from "@parcela/core/cards/CardNumber"
import { refusalsIn, refusalsOf } from "@parcela/core/cards/CardDecider"
import { LocalDate } from "@parcela/core/time/LocalDate"

const visa = CardNumber.make("4111111111111111")
const unknown = CardNumber.make("9999999999999995")
const on = (day: string) => LocalDate.make(day)
const tags = (all: ReadonlyArray<{ readonly _tag: string }>) => all.map(({ _tag }) => _tag)

describe("the refusals of a card", () => {
  it("are empty until the last day of the expiry month, and contain CardExpired from the next day", () => {
    const card = { number: visa, expiresAt: CardExpiry.make("2026-02") }
    assert.deepStrictEqual(refusalsOf(card, on("2026-02-28")), [])
    assert.deepStrictEqual(refusalsOf(card, on("2026-03-01")), [{ _tag: "CardExpired", expiresAt: card.expiresAt }])
    assert.deepStrictEqual(refusalsOf({ ...card, expiresAt: CardExpiry.make("2025-12") }, on("2025-12-31")), [])
  })

  it("are returned together in one error", () => {
    const all = refusalsOf({ number: unknown, expiresAt: CardExpiry.make("2020-01") }, on("2026-09-21"))
    assert.deepStrictEqual(tags(all), ["CardExpired", "CardBrandUnknown"])
    const [first, ...others] = all
    const error = refuse(first!, ...others)
    assert.deepStrictEqual(Object.keys(error.details), ["Card.number", "Card.expiresAt"])
    assert.strictEqual(error.message, "Card.expiresAt: the card expired at the end of 2020-01")
  })

  it("of a body cover all fields that decode, whatever else the body contains", () => {
    const body = (Card: unknown) => ({ myId: 1, PaymentMethodCreditCard: { Card, x: [] } })
    const today = on("2026-09-21")
    assert.deepStrictEqual(tags(refusalsIn(body({ number: `${unknown}`, expiresAt: "2026-08", cvv: 1 }), today)), [
      "CardExpired",
      "CardBrandUnknown"
    ])
    assert.deepStrictEqual(tags(refusalsIn(body({ number: "4111", expiresAt: "2026-08" }), today)), ["CardExpired"])
    assert.deepStrictEqual(tags(refusalsIn(body({ number: `${unknown}`, expiresAt: "08/26" }), today)), [
      "CardBrandUnknown"
    ])
    for (const none of [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { PaymentMethodCreditCard: null },
      body(null),
      body({}),
      body([])
    ]) {
      assert.deepStrictEqual(refusalsIn(none, today), [])
    }
  })
})

describe("the details of several refusals about one field", () => {
  it("contain the first refusal of a field", () => {
    assert.deepStrictEqual(
      refusalDetails([
        { _tag: "CardExpired", expiresAt: CardExpiry.make("2020-01") },
        { _tag: "CardExpired", expiresAt: CardExpiry.make("2021-01") }
      ]),
      { "Card.expiresAt": ["the card expired at the end of 2020-01"] }
    )
  })
})
