/**
 * What every adapter of the port `Cards` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { CardExpiry } from "@parcela/core/cards/Card"
import { CardState, VaultToken } from "@parcela/core/cards/CardState"
import { bySvcPayId } from "@parcela/core/values/Identifier"
import { Cards } from "@parcela/engine/ports/Cards"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { normalized } from "./internal/Arbitraries.ts"
import { entityCases, type EntityOptions } from "./internal/EntityCases.ts"
import { conflictOf } from "./internal/Failures.ts"
import { keptCompany, minute, newCard, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

const options: EntityOptions<CardState, Cards["Service"]> = {
  table: "cards",
  port: Cards,
  arbitrary: normalized(CardState),
  fresh: newCard,
  place: (arbitrary, { companyId, customerId, id }) => ({ ...arbitrary, companyId, customerId, id })
}

/**
 * @category suites
 * @since 0.1.0
 */
export const suite = (name: string, layer: StoreLayer): void =>
  void describe(`Cards (${name})`, () => {
    entityCases(layer, options)

    it.effect("finds a customer's card by its key in the vault, and no other customer's or company's", () =>
      Effect.gen(function* () {
        const cards = yield* Cards
        const company = yield* keptCompany
        const card = yield* newCard(company.id)
        yield* cards.insert(card)
        const find = (changes: Partial<CardState>) => {
          const { companyId, customerId, vaultToken } = { ...card, ...changes }
          return cards.findByVaultToken(companyId, customerId, vaultToken)
        }
        assert.deepStrictEqual(yield* find({}), Option.some(card))
        assert.deepStrictEqual(yield* find({ vaultToken: VaultToken.make("another") }), Option.none())
        const { customerId } = yield* newCard(company.id)
        assert.deepStrictEqual(yield* find({ customerId }), Option.none())
        assert.deepStrictEqual(yield* find({ companyId: (yield* keptCompany).id }), Option.none())
      }).pipe(onEmptyStore(layer))
    )

    it.effect("updates a card", () =>
      Effect.gen(function* () {
        const cards = yield* Cards
        const company = yield* keptCompany
        const card = yield* newCard(company.id)
        yield* cards.insert(card)
        const updated = { ...card, expiresAt: CardExpiry.make("2031-01"), updatedAt: minute(9) }
        yield* cards.update(updated)
        assert.deepStrictEqual(yield* cards.find(company.id, bySvcPayId(card.id)), Option.some(updated))
      }).pipe(onEmptyStore(layer))
    )

    it.effect("is in conflict when a customer would have a card twice; another customer may have it too", () =>
      Effect.gen(function* () {
        const cards = yield* Cards
        const company = yield* keptCompany
        const card = yield* newCard(company.id)
        yield* cards.insert(card)
        const { customerId, vaultToken } = card
        const twice = yield* newCard(company.id, { customerId, vaultToken })
        assert.strictEqual(yield* conflictOf(cards.insert(twice)), "cards.customer_id, cards.vault_token")
        yield* cards.insert(yield* newCard(company.id, { vaultToken }))
      }).pipe(onEmptyStore(layer))
    )

    it.effect("any number of cards may have no myId", () =>
      Effect.gen(function* () {
        const cards = yield* Cards
        const company = yield* keptCompany
        const { myId: _first, ...first } = yield* newCard(company.id)
        const { myId: _second, ...second } = yield* newCard(company.id)
        yield* cards.insert(first)
        yield* cards.insert(second)
        const found = yield* Effect.forEach([first, second], ({ id }) => cards.find(company.id, bySvcPayId(id)))
        assert.deepStrictEqual(found, [Option.some(first), Option.some(second)])
      }).pipe(onEmptyStore(layer))
    )
  })
