/**
 * Creates, edits, cancels and lists subscriptions (interface section 4.1).
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListSelection"
import { subscriptionList } from "@parcela/core/lists/SubscriptionList"
import type { View } from "@parcela/core/json/Picking"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import { Listings } from "@parcela/engine/queries/Listings"
import { Settings } from "@parcela/engine/Settings"
import { ManualSubscriptions } from "@parcela/engine/subscriptions/ManualSubscriptions"
import { PeriodicSubscriptions } from "@parcela/engine/subscriptions/PeriodicSubscriptions"
import { SubscriptionChanges, SubscriptionEditing } from "@parcela/engine/subscriptions/SubscriptionEditing"
import type { SubscriptionsGroup } from "@parcela/transport/contract/Subscriptions"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"
import { isDone } from "./Done.ts"
import { pageOf } from "./Page.ts"

const shown = (subscription: View<Subscription>) => ({ type: true as const, Subscription: subscription })

const selected = selectionOf(subscriptionList)

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<
  Operations<typeof SubscriptionsGroup>,
  never,
  Listings | ManualSubscriptions | PeriodicSubscriptions | SubscriptionChanges | SubscriptionEditing
> = Effect.gen(function* () {
  const listings = yield* Listings
  const manual = yield* ManualSubscriptions
  const periodic = yield* PeriodicSubscriptions
  const changes = yield* SubscriptionChanges
  const editing = yield* SubscriptionEditing
  const { zone } = yield* Settings
  return {
    "subscriptions.createManual": ({ client, payload, underKey }) =>
      underKey(shown, (key) => manual.create(client.companyId, payload, key)),
    "subscriptions.create": ({ client, payload, underKey }) =>
      underKey(shown, (key) => periodic.create(client.companyId, payload, key)),
    "subscriptions.edit": ({ client, entity, payload, underKey }) =>
      underKey(shown, (key) => editing.edit(client.companyId, entity, payload, key)),
    "subscriptions.cancel": ({ client, entity, underKey }) =>
      underKey(isDone, (key) => changes.cancel(client.companyId, entity, key)),
    "subscriptions.list": ({ client, query }) => {
      const { filter, page } = selected(query, zone)
      return Effect.map(listings.subscriptions(client.companyId, filter, page), (found) =>
        pageOf("Subscriptions", found)
      )
    }
  }
})
