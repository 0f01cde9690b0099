/**
 * Create and list subscriptions (interface section 4.1).
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListSelection"
import { subscriptionList } from "@parcela/core/lists/SubscriptionList"
import type { Subscription as SubscriptionView } from "@parcela/core/subscriptions/Subscription"
import { Listings } from "@parcela/engine/queries/Listings"
import { Settings } from "@parcela/engine/Settings"
import { ManualSubscriptions } from "@parcela/engine/usecases/ManualSubscriptions"
import { Caller } from "@parcela/transport/Caller"
import { Contract } from "@parcela/transport/Contract"
import { SubscriptionResponse } from "@parcela/transport/contract/Subscriptions"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
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
        return yield* underKey({
          command: { operation: "subscriptions.createManual", payload },
          schema: SubscriptionResponse,
          view: (Subscription: SubscriptionView) => ({ type: true as const, Subscription })
        })((key) => asFailures(manual.create(companyId, payload, key)))
      }),
      list: Effect.fn("subscriptions.list")(function* ({ query }) {
        const { companyId } = yield* Caller
        const { filter, page } = selectionOf(subscriptionList, query, zone)
        const Subscriptions = yield* listings.subscriptions(companyId, filter, page)
        return { totalQtdFoundInPage: Subscriptions.length, Subscriptions }
      }, storeFailures)
    })
  })
)
