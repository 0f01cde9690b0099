/**
 * Lists, adds and removes cards.
 *
 * @since 0.1.0
 */
import { cardList } from "@parcela/core/lists/CardList"
import { selectionOf } from "@parcela/core/lists/ListSelection"
import type { ListedCard } from "@parcela/engine/ports/Cards"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { CardManagement } from "@parcela/engine/cards/Cards"
import type { CardsGroup } from "@parcela/transport/contract/Cards"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const selected = selectionOf(cardList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof CardsGroup>, never, CardManagement> = Effect.gen(function* () {
  const cards = yield* CardManagement
  const settings = yield* Settings
  const view = ({ card, customer }: ListedCard) => Views.card(card, settings, customer)
  return {
    "cards.add": ({ client, entity, payload, underKey }) =>
      underKey(
        (found: ListedCard) => ({ type: true as const, Card: view(found) }),
        (key) => cards.add(client.companyId, entity, payload, key)
      ),
    "cards.remove": ({ client, entity, underKey }) =>
      underKey(isDone, (key) => cards.remove(client.companyId, entity, key)),
    "cards.list": ({ client, query }) => {
      const { filter, page } = selected(query, settings.zone)
      return Effect.map(cards.list(client.companyId, filter, page), (found) => pageOf("Cards", found.map(view)))
    }
  }
})
