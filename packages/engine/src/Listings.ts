/**
 * Use case: look at what there is (public use, `GET /subscriptions` and `GET /transactions`).
 *
 * @since 0.1.0
 */
import { type BillingError, refuse } from "@parcela/core/BillingError"
import type { CardState } from "@parcela/core/CardState"
import type { CompanyId } from "@parcela/core/CompanyState"
import { type EntityRef, type SvcPayId } from "@parcela/core/Identifier"
import type { Subscription } from "@parcela/core/Subscription"
import type { SubscriptionState } from "@parcela/core/SubscriptionState"
import type { Transaction } from "@parcela/core/Transaction"
import { cardOf, subscriptionOf, type TransactionState } from "@parcela/core/TransactionState"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Cards } from "./Cards.ts"
import { Customers } from "./Customers.ts"
import { subscriptionIdOf } from "./internal/SubscriptionId.ts"
import type { Page } from "./Page.ts"
import { Settings } from "./Settings.ts"
import type { StoreError } from "./StoreError.ts"
import { type SubscriptionFilter, Subscriptions } from "./Subscriptions.ts"
import { type TransactionFilter, Transactions } from "./Transactions.ts"
import * as Views from "./Views.ts"

/** How many payments are shown inside a subscription, the latest ones. */
const paymentsOfSubscription = 100

/** How many payments a page of subscriptions shows in all, so that a page of 100 shows the latest ten of each. */
const paymentsOfPage = 1_000

/**
 * @category services
 * @since 0.1.0
 */
export class Listings extends Context.Service<
  Listings,
  {
    readonly subscription: (
      companyId: CompanyId,
      ref: EntityRef
    ) => Effect.Effect<Subscription, BillingError | StoreError>
    readonly subscriptions: (
      companyId: CompanyId,
      filter: SubscriptionFilter,
      page: Page<"createdAt" | "updatedAt">
    ) => Effect.Effect<ReadonlyArray<Subscription>, StoreError>
    readonly transactions: (
      companyId: CompanyId,
      filter: TransactionFilter,
      page: Page<"createdAt" | "payday">
    ) => Effect.Effect<ReadonlyArray<Transaction>, StoreError>
    /** A transaction with all that is shown beside it. */
    readonly shown: (transaction: TransactionState) => Effect.Effect<Views.Shown, StoreError>
  }
>()("@parcela/engine/Listings") {
  static readonly layer: Layer.Layer<Listings, never, Cards | Customers | Subscriptions | Transactions> = Layer.effect(
    Listings,
    Effect.gen(function* () {
      const cardStore = yield* Cards
      const customers = yield* Customers
      const subscriptions = yield* Subscriptions
      const transactions = yield* Transactions
      const settings = yield* Settings

      /** The cards of some states, by identifier, in one look-up. */
      const cardsOf = Effect.fnUntraced(function* (companyId: CompanyId, holders: ReadonlyArray<SvcPayId | undefined>) {
        const ids = [...new Set(holders)].filter((id) => id !== undefined)
        const found = ids.length === 0 ? [] : yield* cardStore.findMany(companyId, ids)
        return new Map<SvcPayId | undefined, CardState>(found.map((card) => [card.id, card]))
      })

      const showSubscriptions = Effect.fnUntraced(function* (
        companyId: CompanyId,
        states: ReadonlyArray<SubscriptionState>
      ) {
        if (states.length === 0) return []
        const payments = yield* transactions.latestOfSubscriptions(
          companyId,
          states.map(({ id }) => id),
          Math.min(paymentsOfSubscription, Math.floor(paymentsOfPage / states.length))
        )
        const payers = yield* customers.findMany(companyId, [...new Set(states.map(({ customerId }) => customerId))])
        const payerOf = new Map(payers.map((customer) => [customer.id, customer]))
        const cards = yield* cardsOf(companyId, [...states.map(({ cardId }) => cardId), ...payments.map(cardOf)])
        const paymentsOf = Map.groupBy(payments, subscriptionOf)
        return states.map((subscription) =>
          Views.subscription(
            {
              subscription,
              customer: payerOf.get(subscription.customerId)!,
              card: cards.get(subscription.cardId),
              transactions: (paymentsOf.get(subscription.id) ?? []).map((transaction) => ({
                transaction,
                card: cards.get(cardOf(transaction))
              }))
            },
            settings
          )
        )
      })

      const shown = Effect.fn("Listings.shown")(function* (transaction: TransactionState) {
        const { companyId } = transaction
        const [subscription] = yield* subscriptions.findMany(companyId, [subscriptionIdOf(transaction)])
        if (subscription === undefined) return yield* Effect.die(new Error(`${transaction.id} has no subscription`))
        const [customer] = yield* customers.findMany(companyId, [subscription.customerId])
        if (customer === undefined) return yield* Effect.die(new Error(`${subscription.id} has no customer`))
        const cards = yield* cardsOf(companyId, [cardOf(transaction), subscription.cardId])
        return {
          transaction,
          subscription,
          customer,
          card: cards.get(cardOf(transaction)),
          subscriptionCard: cards.get(subscription.cardId)
        }
      })

      return Listings.of({
        shown,
        subscription: Effect.fn("Listings.subscription")(function* (companyId, ref) {
          const found = yield* subscriptions.find(companyId, ref)
          if (Option.isNone(found)) return yield* refuse({ _tag: "SubscriptionNotFound", typeId: ref.typeId })
          const [view] = yield* showSubscriptions(companyId, [found.value])
          return view!
        }),
        subscriptions: Effect.fn("Listings.subscriptions")(function* (companyId, filter, page) {
          return yield* showSubscriptions(companyId, yield* subscriptions.list(companyId, filter, page))
        }),
        transactions: Effect.fn("Listings.transactions")(function* (companyId, filter, page) {
          const states = yield* transactions.list(companyId, filter, page)
          if (states.length === 0) return []
          const owners = yield* subscriptions.findMany(companyId, [
            ...new Set(states.map(subscriptionOf).filter((id) => id !== undefined))
          ])
          const ownerOf = new Map(owners.map((subscription) => [subscription.id, subscription]))
          const cards = yield* cardsOf(companyId, states.map(cardOf))
          // A payment of a charge has no subscription to be shown beside it, and no use case makes one yet.
          return states.flatMap((transaction) => {
            const owner = subscriptionOf(transaction)
            const subscription = owner === undefined ? undefined : ownerOf.get(owner)
            const card = cards.get(cardOf(transaction))
            return subscription === undefined ? [] : [Views.transaction({ transaction, subscription, card }, settings)]
          })
        })
      })
    })
  )
}
