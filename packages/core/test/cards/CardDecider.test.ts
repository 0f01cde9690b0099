import { assert, describe, it } from "@effect/vitest"
import { CardExpiry } from "../../src/cards/Card.ts"
import {
  decideCard,
  markBackup,
  removeCard,
  type VaultedCard,
  type CardState,
  VaultToken,
  refusalsIn,
  refusalsOf
} from "../../src/cards/CardDecider.ts"
import { CompanyId } from "../../src/companies/CompanyState.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import { before, decided, has, now, refused } from "../fixtures/States.ts"
import { refusalDetails, refuse } from "@parcela/core/errors/BillingError"
import { CardNumber } from "../../src/cards/CardNumber.ts"
import { LocalDate } from "@parcela/core/time/LocalDate"

const companyId = CompanyId.make(1)
const customerId = SvcPayId.make(3)
const context = { companyId, customerId, id: SvcPayId.make(50), now }

const sent: VaultedCard = {
  myId: undefined,
  vaultToken: VaultToken.make("key-1"),
  brand: "visa",
  mask: "4111********1111",
  expiresAt: CardExpiry.make("2030-12")
}
const { myId: _, ...kept } = sent
const card: CardState = { id: SvcPayId.make(7), companyId, customerId, ...kept, createdAt: before, updatedAt: before }
const named = (name: string): CardState => ({ ...card, myId: MyId.make(name) })

describe("a card in a request", () => {
  it("is created if it is unknown", () => {
    const { events, next } = decided(decideCard({ ...sent, myId: MyId.make("main") }, {}, context))
    assert.deepStrictEqual(next, { ...named("main"), id: context.id, createdAt: now, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CardAdded", cardId: context.id, customerId }])
  })

  it("is unchanged if it is sent again", () => {
    assert.deepStrictEqual(decided(decideCard(sent, { byVaultToken: card }, context)), { next: card, events: [] })
  })

  it("updates its expiry if it is sent again", () => {
    const expiresAt = CardExpiry.make("2034-01")
    const { events, next } = decided(decideCard({ ...sent, expiresAt }, { byVaultToken: card }, context))
    assert.deepStrictEqual(next, { ...card, expiresAt, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CardUpdated", cardId: card.id, customerId }])
  })

  it("gets a myId if it has none, and keeps its existing myId", () => {
    const again = { ...sent, myId: MyId.make("second") }
    const { next } = decided(decideCard(again, { byVaultToken: card }, context))
    assert.deepStrictEqual(next, { ...named("second"), updatedAt: now })
    assert.deepStrictEqual(decided(decideCard(again, { byVaultToken: named("first") }, context)), {
      next: named("first"),
      events: []
    })
  })

  it("is found by its own myId even if the vault assigned another token", () => {
    const again = { ...sent, myId: MyId.make("main") }
    const forgotten = { ...again, vaultToken: VaultToken.make("key-2") }
    assert.deepStrictEqual(
      decided(decideCard(again, { byMyId: named("main"), byVaultToken: named("main") }, context)),
      {
        next: named("main"),
        events: []
      }
    )
    assert.deepStrictEqual(decided(decideCard(forgotten, { byMyId: named("main") }, context)), {
      next: named("main"),
      events: []
    })
  })

  it.each([
    ["of another number", { vaultToken: VaultToken.make("key-2"), mask: "4111********1112" }, {}],
    [
      "with another expiry that the vault does not know",
      { vaultToken: VaultToken.make("key-2"), expiresAt: "2031-01" },
      {}
    ],
    ["of another customer", {}, { customerId: SvcPayId.make(4) }]
  ] as const)("is refused with the myId of a card %s", (_, changes, owner) => {
    const other = { ...sent, myId: MyId.make("main"), ...changes } as VaultedCard
    const known = { byMyId: { ...named("main"), ...owner } as CardState }
    assert.deepStrictEqual(refused(decideCard(other, known, context)), {
      _tag: "MyIdTaken",
      entity: "Card",
      myId: MyId.make("main")
    })
  })
})

describe("the backup card", () => {
  const others = [{ ...card, id: SvcPayId.make(8), isBackup: true }]

  it("replaces the customer's earlier backup card", () => {
    const [marked, ...rest] = markBackup(card, true, { backups: others, now })
    assert.deepStrictEqual(marked?.next, { ...card, isBackup: true, updatedAt: now })
    assert.deepStrictEqual(
      rest.map(({ next }) => [Number(next.id), next.isBackup]),
      [[8, false]]
    )
  })

  it("is unchanged without a value, and cleared by false", () => {
    assert.deepStrictEqual(markBackup(card, undefined, { backups: others, now }), [{ next: card, events: [] }])
    const backup = { ...card, isBackup: true }
    assert.deepStrictEqual(
      markBackup(backup, false, { backups: [backup], now }).map(({ next }) => next.isBackup),
      [false]
    )
    assert.isEmpty(markBackup(backup, true, { backups: [backup], now }).flatMap(({ events }) => events))
  })
})

describe("a removed card", () => {
  it("is inactive, no longer the backup card, and removed only once", () => {
    const removed = decided(removeCard({ ...card, isBackup: true }, { isInUse: false, now }))
    assert.deepStrictEqual(removed.next, { ...card, isBackup: false, status: "inactive", updatedAt: now })
    assert.deepStrictEqual(removed.events, [{ _tag: "CardRemoved", cardId: card.id, customerId: card.customerId }])
    assert.isEmpty(decided(removeCard(removed.next, { isInUse: true, now })).events)
  })

  it("is refused while a contract uses it", () => {
    has(refused(removeCard(card, { isInUse: true, now })), { _tag: "CardInUse" })
  })
})

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
