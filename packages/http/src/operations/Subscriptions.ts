/**
 * Operations of subscriptions (interface section 4.1) and of plans.
 *
 * @since 0.1.0
 */
import { selectionOf } from "@parcela/core/lists/ListQuery"
import { subscriptionList, planList } from "@parcela/core/lists/EntityLists"
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import { Listings } from "@parcela/engine/queries/Listings"
import { Settings } from "@parcela/engine/Settings"
import { ManualSubscriptions } from "@parcela/engine/subscriptions/ManualSubscriptions"
import { PeriodicSubscriptions } from "@parcela/engine/subscriptions/PeriodicSubscriptions"
import { SubscriptionChanges, SubscriptionEditing } from "@parcela/engine/subscriptions/SubscriptionEditing"
import type { SubscriptionsGroup } from "@parcela/transport/contract/Subscriptions"
import * as Effect from "effect/Effect"
import { isDone, type Operations, pageOf } from "../Operation.ts"
import type { PlanState } from "@parcela/core/plans/PlanDecider"
import { planView } from "@parcela/engine/queries/PlanView"
import { PlanManagement } from "@parcela/engine/plans/Plans"
import type { PlansGroup } from "@parcela/transport/contract/Plans"

const shown = (subscription: View<Subscription>) => ({ type: true as const, Subscription: subscription })

const subscriptionsSelected = selectionOf(subscriptionList)

/**
 * @category operations
 * @since 0.1.0
 */
export const subscriptions: Effect.Effect<
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
      const { filter, page } = subscriptionsSelected(query, zone)
      return Effect.map(listings.subscriptions(client.companyId, filter, page), (found) =>
        pageOf("Subscriptions", found)
      )
    }
  }
})

const plansSelected = selectionOf(planList)

/**
 * @category operations
 * @since 0.1.0
 */
export const plans: Effect.Effect<Operations<typeof PlansGroup>, never, PlanManagement> = Effect.gen(function* () {
  const plans = yield* PlanManagement
  const settings = yield* Settings
  const shown = (plan: PlanState) => ({ type: true as const, Plan: planView(plan, settings) })
  return {
    "plans.create": ({ client, payload, underKey }) =>
      underKey(shown, (key) => plans.create(client.companyId, payload, key)),
    "plans.edit": ({ client, entity, payload, underKey }) =>
      underKey(shown, (key) => plans.edit(client.companyId, entity, payload, key)),
    "plans.deactivate": ({ client, entity, underKey }) =>
      underKey(isDone, (key) => plans.edit(client.companyId, entity, { status: "inactive" }, key)),
    "plans.list": ({ client, query }) => {
      const { filter, page } = plansSelected(query, settings.zone)
      return Effect.map(plans.list(client.companyId, filter, page), (found) =>
        pageOf(
          "Plans",
          found.map((plan) => planView(plan, settings))
        )
      )
    }
  }
})
