import { assert, describe, it } from "@effect/vitest"
import { CardExpiry } from "../../src/cards/Card.ts"
import { decideCard, type VaultedCard } from "../../src/cards/CardDecider.ts"
import { type CardState, VaultToken } from "../../src/cards/CardState.ts"
import { CompanyId } from "../../src/companies/CompanyState.ts"
import { MyId, SvcPayId } from "../../src/values/Identifier.ts"
import { before, decided, now, refused } from "../fixtures/States.ts"

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

describe("a card that is sent", () => {
  it("is new when nothing is known of it", () => {
    const { events, next } = decided(decideCard({ ...sent, myId: MyId.make("main") }, {}, context))
    assert.deepStrictEqual(next, { ...named("main"), id: context.id, createdAt: now, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CardKept", cardId: context.id, customerId }])
  })

  it("again is the same card, unchanged", () => {
    assert.deepStrictEqual(decided(decideCard(sent, { byVaultToken: card }, context)), { next: card, events: [] })
  })

  it("again with another expiry is the same card, renewed", () => {
    const expiresAt = CardExpiry.make("2034-01")
    const { events, next } = decided(decideCard({ ...sent, expiresAt }, { byVaultToken: card }, context))
    assert.deepStrictEqual(next, { ...card, expiresAt, updatedAt: now })
    assert.deepStrictEqual(events, [{ _tag: "CardUpdated", cardId: card.id, customerId }])
  })

  it("again gets a myId when it had none, and keeps the one that it has", () => {
    const again = { ...sent, myId: MyId.make("second") }
    const { next } = decided(decideCard(again, { byVaultToken: card }, context))
    assert.deepStrictEqual(next, { ...named("second"), updatedAt: now })
    assert.deepStrictEqual(decided(decideCard(again, { byVaultToken: named("first") }, context)), {
      next: named("first"),
      events: []
    })
  })

  it("again under its own myId is that card, also when the vault has another key for it by now", () => {
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
      "of another expiry that the vault does not know",
      { vaultToken: VaultToken.make("key-2"), expiresAt: "2031-01" },
      {}
    ],
    ["of another customer", {}, { customerId: SvcPayId.make(4) }]
  ] as const)("under the myId of a card %s is refused", (_, changes, owner) => {
    const other = { ...sent, myId: MyId.make("main"), ...changes } as VaultedCard
    const known = { byMyId: { ...named("main"), ...owner } as CardState }
    assert.deepStrictEqual(refused(decideCard(other, known, context)), {
      _tag: "MyIdTaken",
      entity: "Card",
      myId: MyId.make("main")
    })
  })
})
