/**
 * Add, retry and list transactions (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListSelection"
import { transactionList } from "@parcela/core/lists/TransactionList"
import { Listings } from "@parcela/engine/queries/Listings"
import type { PaymentContext } from "@parcela/engine/ports/CommandStore"
import { Settings } from "@parcela/engine/Settings"
import { Payments } from "@parcela/engine/usecases/Payments"
import * as Views from "@parcela/engine/queries/Views"
import { BadRequest } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import { RetryResponse, TransactionResponse } from "@parcela/transport/contract/Transactions"
import { type EntityPath, entityRef } from "@parcela/transport/EntityPath"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { underKey } from "../Idempotency.ts"
import { asFailures, storeFailures } from "../Refusals.ts"

const refOf = (path: EntityPath) =>
  Effect.mapError(
    Effect.fromResult(entityRef(path)),
    (details) => new BadRequest({ message: "The path has a fault", details })
  )

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  Contract,
  "transactions",
  Effect.fn(function* (handlers) {
    const listings = yield* Listings
    const payments = yield* Payments
    const settings = yield* Settings
    return handlers.handleAll({
      add: Effect.fn("transactions.add")(function* ({ params, payload }) {
        const { companyId } = yield* Caller
        const subscription = yield* refOf(params)
        return yield* underKey({
          command: { operation: "transactions.add", params, payload },
          schema: TransactionResponse,
          view: (payment: PaymentContext) => ({
            type: true as const,
            Transaction: Views.transaction(payment, settings)
          })
        })((key) => asFailures(payments.add(companyId, subscription, payload, key)))
      }),
      retry: Effect.fn("transactions.retry")(function* ({ params }) {
        const { companyId } = yield* Caller
        const transaction = yield* refOf(params)
        return yield* underKey({
          command: { operation: "transactions.retry", params },
          schema: RetryResponse,
          view: (payment: PaymentContext) => ({
            Transaction: Views.transactionOfRetry(payment, settings),
            PaymentMethodCreditCard: { Card: Views.cardOfRetry(cardOf(payment), settings) }
          })
        })((key) => asFailures(payments.retry(companyId, transaction, key)))
      }),
      list: Effect.fn("transactions.list")(function* ({ query }) {
        const { companyId } = yield* Caller
        const { filter, page } = selectionOf(transactionList, query, settings.zone)
        const Transactions = yield* listings.transactions(companyId, filter, page)
        return { totalQtdFoundInPage: Transactions.length, Transactions }
      }, storeFailures)
    })
  })
)

/** Only card payments can be retried, and a card payment has a card. */
const cardOf = ({ card, transaction }: PaymentContext) => {
  if (card === undefined) throw new Error(`Transaction ${transaction.id} was retried and has no card`)
  return card
}
