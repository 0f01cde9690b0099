/**
 * Operations of customers and of their cards.
 *
 * @since 0.1.0
 */
import { customerList, cardList } from "@parcela/core/lists/EntityLists"
import { selectionOf } from "@parcela/core/lists/ListQuery"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { CustomerManagement, type CustomerToday } from "@parcela/engine/customers/Customers"
import type { CustomersGroup } from "@parcela/transport/contract/Customers"
import * as Effect from "effect/Effect"
import { isDone, type Operations, pageOf } from "../Operation.ts"
import type { ListedCard } from "@parcela/engine/ports/Cards"
import { CardManagement } from "@parcela/engine/cards/Cards"
import type { CardsGroup } from "@parcela/transport/contract/Cards"

const customersSelected = selectionOf(customerList)

/**
 * @category operations
 * @since 0.1.0
 */
export const customers: Effect.Effect<Operations<typeof CustomersGroup>, never, CustomerManagement> = Effect.gen(
  function* () {
    const customers = yield* CustomerManagement
    const settings = yield* Settings
    const view = ({ customer, status }: CustomerToday) => Views.customer(customer, settings, status)
    const shown = (found: CustomerToday) => ({ type: true as const, Customer: view(found) })
    return {
      "customers.create": ({ client, payload, underKey }) =>
        underKey(shown, (key) => customers.create(client.companyId, payload, key)),
      "customers.edit": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => customers.edit(client.companyId, entity, payload, key)),
      "customers.deactivate": ({ client, entity, underKey }) =>
        underKey(isDone, (key) => customers.edit(client.companyId, entity, { status: "inactive" }, key)),
      "customers.list": ({ client, query }) => {
        const { filter, page } = customersSelected(query, settings.zone)
        return Effect.map(customers.list(client.companyId, filter, page), (found) =>
          pageOf("Customers", found.map(view))
        )
      }
    }
  }
)

const cardsSelected = selectionOf(cardList)

/**
 * @category operations
 * @since 0.1.0
 */
export const cards: Effect.Effect<Operations<typeof CardsGroup>, never, CardManagement> = Effect.gen(function* () {
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
      const { filter, page } = cardsSelected(query, settings.zone)
      return Effect.map(cards.list(client.companyId, filter, page), (found) => pageOf("Cards", found.map(view)))
    }
  }
})
