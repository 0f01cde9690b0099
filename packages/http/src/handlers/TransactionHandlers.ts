/**
 * Add, retry and list transactions (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
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
import { pageOf, spanOf } from "../ListFilters.ts"
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
        const Transactions = yield* listings.transactions(
          companyId,
          {
            svcPayIds: query.svcPayIds,
            myIds: query.myIds,
            subscriptionSvcPayIds: query.subscriptionSvcPayIds,
            subscriptionMyIds: query.subscriptionMyIds,
            customerSvcPayIds: query.customerSvcPayIds,
            customerMyIds: query.customerMyIds,
            status: query.status,
            created: spanOf(query.createdAtFrom, query.createdAtTo, settings.zone),
            statusChanged: spanOf(query.updateStatusFrom, query.updateStatusTo, settings.zone),
            payday: { from: query.payDayFrom, to: query.payDayTo }
          },
          pageOf(query)
        )
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
