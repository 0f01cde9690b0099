/**
 * What every adapter of the port `Cards` must do.
 *
 * @since 0.1.0
 */
import { assert, describe, it } from "@effect/vitest"
import { CardState } from "@parcela/core/CardState"
import { Cards } from "@parcela/engine/Cards"
import * as Effect from "effect/Effect"
import { normalized } from "./internal/Arbitraries.ts"
import { entityCases, manyCases, type EntityOptions } from "./internal/EntityCases.ts"
import { keptCompany, newCard, onEmptyStore, type StoreLayer } from "./StoreFixtures.ts"

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
    manyCases(layer, options)

    it.effect("any number of cards may have no myId", () =>
      Effect.gen(function* () {
        const cards = yield* Cards
        const company = yield* keptCompany
        const { myId: _first, ...first } = yield* newCard(company.id)
        const { myId: _second, ...second } = yield* newCard(company.id)
        yield* cards.insert(first)
        yield* cards.insert(second)
        assert.lengthOf(yield* cards.findMany(company.id, [first.id, second.id]), 2)
      }).pipe(onEmptyStore(layer))
    )
  })
