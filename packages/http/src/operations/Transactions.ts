/**
 * Adds, edits, retries, reverses, captures, cancels and lists transactions (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListSelection"
import { transactionList } from "@parcela/core/lists/TransactionList"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Listings } from "@parcela/engine/queries/Listings"
import * as Views from "@parcela/engine/queries/Views"
import { Settings } from "@parcela/engine/Settings"
import { Payments } from "@parcela/engine/payments/Payments"
import type { TransactionsGroup } from "@parcela/transport/contract/Transactions"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const selected = selectionOf(transactionList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof TransactionsGroup>, never, Listings | Payments> = Effect.gen(
  function* () {
    const listings = yield* Listings
    const payments = yield* Payments
    const settings = yield* Settings
    const shown = (payment: PaymentContext) => ({
      type: true as const,
      Transaction: Views.transaction(payment, settings)
    })
    const withCard = (payment: PaymentContext) => ({
      Transaction: Views.transaction(payment, settings),
      PaymentMethodCreditCard: { Card: Views.card(cardOf(payment), settings, payment.customer) }
    })
    return {
      "transactions.add": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => payments.add(client.companyId, entity, payload, key)),
      "transactions.edit": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => payments.edit(client.companyId, entity, payload, key)),
      "transactions.retry": ({ client, entity, underKey }) =>
        underKey(withCard, (key) => payments.retry(client.companyId, entity, key)),
      "transactions.reverse": ({ client, entity, payload, underKey }) =>
        underKey(
          (payment: PaymentContext) => ({ type: true as const, ...withCard(payment) }),
          (key) => payments.reverse(client.companyId, entity, payload, key)
        ),
      "transactions.capture": ({ client, entity, underKey }) =>
        underKey(shown, (key) => payments.capture(client.companyId, entity, key)),
      "transactions.cancel": ({ client, entity, underKey }) =>
        underKey(isDone, (key) => payments.cancel(client.companyId, entity, key)),
      "transactions.list": ({ client, query }) => {
        const { filter, page } = selected(query, settings.zone)
        return Effect.map(listings.transactions(client.companyId, filter, page), (found) =>
          pageOf("Transactions", found)
        )
      }
    }
  }
)

/** Returns the card of a payment. Only card payments can be retried and reversed. */
const cardOf = ({ card, transaction }: PaymentContext) => {
  if (card === undefined) throw new Error(`Transaction ${transaction.id} has no card`)
  return card
}
