/**
 * Operations of transactions, which are the payments of a subscription (interface sections 4.1 and 4.3), and of one-off
 * charges.
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListQuery"
import { transactionList, chargeList } from "@parcela/core/lists/EntityLists"
import type { PaymentContext } from "@parcela/engine/command/LoadedPayments"
import { Listings } from "@parcela/engine/queries/Listings"
import * as Views from "@parcela/engine/queries/Views"
import { Settings, type SettingsShape } from "@parcela/engine/Settings"
import { Payments } from "@parcela/engine/payments/Payments"
import type { TransactionsGroup } from "@parcela/transport/contract/Transactions"
import * as Effect from "effect/Effect"
import { isDone, type Operations, pageOf } from "../Operation.ts"
import { ChargeManagement } from "@parcela/engine/charges/Charges"
import type { ChargesGroup } from "@parcela/transport/contract/Charges"

const transactionsSelected = selectionOf(transactionList)

/**
 * @category operations
 * @since 0.1.0
 */
export const transactions: Effect.Effect<Operations<typeof TransactionsGroup>, never, Listings | Payments> = Effect.gen(
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
        const { filter, page } = transactionsSelected(query, settings.zone)
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

const chargesSelected = selectionOf(chargeList)

/**
 * @category operations
 * @since 0.1.0
 */
export const charges: Effect.Effect<Operations<typeof ChargesGroup>, never, ChargeManagement | Listings> = Effect.gen(
  function* () {
    const charges = yield* ChargeManagement
    const listings = yield* Listings
    const settings = yield* Settings
    const shown = shownWith(settings)
    return {
      "charges.create": ({ client, payload, underKey }) =>
        underKey(shown, (key) => charges.create(client.companyId, payload, key)),
      "charges.edit": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => charges.edit(client.companyId, entity, payload, key)),
      "charges.retry": ({ client, entity, underKey }) =>
        underKey(shown, (key) => charges.retry(client.companyId, entity, key)),
      "charges.reverse": ({ client, entity, payload, underKey }) =>
        underKey(shown, (key) => charges.reverse(client.companyId, entity, payload, key)),
      "charges.capture": ({ client, entity, underKey }) =>
        underKey(shown, (key) => charges.capture(client.companyId, entity, key)),
      "charges.cancel": ({ client, entity, underKey }) =>
        underKey(isDone, (key) => charges.cancel(client.companyId, entity, key)),
      "charges.list": ({ client, query }) => {
        const { filter, page } = chargesSelected(query, settings.zone)
        return Effect.map(listings.charges(client.companyId, filter, page), (found) => pageOf("Charges", found))
      }
    }
  }
)

const shownWith =
  (settings: SettingsShape) =>
  ({ card, customer, owner, transaction }: PaymentContext) => {
    if (owner._tag !== "Charge") throw new Error(`Transaction ${transaction.id} belongs to no charge`)
    const parts = { charge: owner.charge, card: owner.card, customer, transactions: [{ transaction, card }] }
    return { type: true as const, Charge: Views.charge(parts, settings) }
  }
