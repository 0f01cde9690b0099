/**
 * Create and list subscriptions (interface section 4.1).
 *
 * @since 0.1.0
 */
import { Listings } from "@parcela/engine/Listings"
import { ManualSubscriptions } from "@parcela/engine/ManualSubscriptions"
import { Settings } from "@parcela/engine/Settings"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { pageOf, spanOf } from "../ListFilters.ts"
import { underKey } from "../Idempotency.ts"
import { asFailures, storeFailures } from "../Refusals.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(
  Contract,
  "subscriptions",
  Effect.fn(function* (handlers) {
    const listings = yield* Listings
    const manual = yield* ManualSubscriptions
    const { zone } = yield* Settings
    return handlers.handleAll({
      createManual: Effect.fn("subscriptions.createManual")(function* ({ payload }) {
        const { companyId } = yield* Caller
        const write = Effect.map(manual.create(companyId, payload), (Subscription) => ({
          type: true as const,
          Subscription
        }))
        return yield* underKey({ operation: "subscriptions.createManual", payload }, asFailures(write))
      }),
      list: Effect.fn("subscriptions.list")(function* ({ query }) {
        const { companyId } = yield* Caller
        const Subscriptions = yield* listings.subscriptions(
          companyId,
          {
            svcPayIds: query.svcPayIds,
            myIds: query.myIds,
            customerSvcPayIds: query.customerSvcPayIds,
            customerMyIds: query.customerMyIds,
            status: query.status,
            created: spanOf(query.createdAtFrom, query.createdAtTo, zone),
            createdOrUpdated: spanOf(query.createdOrUpdatedAtFrom, query.createdOrUpdatedAtTo, zone)
          },
          pageOf(query)
        )
        return { totalQtdFoundInPage: Subscriptions.length, Subscriptions }
      }, storeFailures)
    })
  })
)
