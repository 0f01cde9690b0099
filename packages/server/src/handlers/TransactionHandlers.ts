/**
 * Add, retry and list transactions (interface sections 4.1 and 4.3).
 *
 * @since 0.1.0
 */
import { Listings } from "@parcela/engine/Listings"
import { Payments } from "@parcela/engine/Payments"
import { Settings } from "@parcela/engine/Settings"
import * as Views from "@parcela/engine/Views"
import { BadRequest } from "@parcela/transport/ApiError"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
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
        const write = Effect.map(payments.add(companyId, subscription, payload), (shown) => ({
          type: true as const,
          Transaction: Views.transaction(shown, settings)
        }))
        return yield* underKey({ operation: "transactions.add", params, payload }, asFailures(write))
      }),
      retry: Effect.fn("transactions.retry")(function* ({ params }) {
        const { companyId } = yield* Caller
        const transaction = yield* refOf(params)
        const write = Effect.map(payments.retry(companyId, transaction), (shown) => ({
          Transaction: Views.transactionOfRetry(shown, settings),
          // Only card payments can be retried, and a card payment has a card.
          PaymentMethodCreditCard: { Card: Views.cardOfRetry(shown.card!, settings) }
        }))
        return yield* underKey({ operation: "transactions.retry", params }, asFailures(write))
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
