/**
 * Use case: list subscriptions, charges and transactions (public use, `GET /subscriptions` and `GET /transactions`).
 *
 * @since 0.1.0
 */
import { refuse, type RefusedBy } from "@parcela/core/errors/BillingError"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { View } from "@parcela/core/json/ResponseSerializer"
import type { Charge } from "@parcela/core/charges/Charge"
import type { ChargeList, SubscriptionList, TransactionList } from "@parcela/core/lists/EntityLists"
import type { Subscription } from "@parcela/core/subscriptions/Subscription"
import type { ListedTransaction } from "@parcela/core/transactions/ListedTransaction"
import { subscriptionOf } from "@parcela/core/transactions/TransactionState"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../Settings.ts"
import * as Spans from "../Spans.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Charges } from "../ports/Charges.ts"
import { type ListedSubscription, Subscriptions } from "../ports/Subscriptions.ts"
import { Transactions } from "../ports/Transactions.ts"
import * as Views from "./Views.ts"

/** Maximum number of payments in a subscription; the latest ones are returned. */
const paymentsOfSubscription = 100

/**
 * Maximum number of payments in a page of subscriptions. A page of 100 subscriptions contains the latest ten of each.
 */
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
    ) => Effect.Effect<View<Subscription>, RefusedBy<"SubscriptionNotFound"> | StoreError>
    readonly subscriptions: (
      companyId: CompanyId,
      filter: FilterOf<SubscriptionList>,
      page: PageOf<SubscriptionList>
    ) => Effect.Effect<ReadonlyArray<View<Subscription>>, StoreError>
    readonly charges: (
      companyId: CompanyId,
      filter: FilterOf<ChargeList>,
      page: PageOf<ChargeList>
    ) => Effect.Effect<ReadonlyArray<View<Charge>>, StoreError>
    readonly transactions: (
      companyId: CompanyId,
      filter: FilterOf<TransactionList>,
      page: PageOf<TransactionList>
    ) => Effect.Effect<ReadonlyArray<View<ListedTransaction>>, StoreError>
  }
>()("@parcela/engine/queries/Listings") {
  static readonly layer: Layer.Layer<Listings, never, Charges | Subscriptions | Transactions> = Layer.effect(
    Listings,
    Effect.gen(function* () {
      const charges = yield* Charges
      const subscriptions = yield* Subscriptions
      const transactions = yield* Transactions
      const settings = yield* Settings

      const show = Effect.fnUntraced(function* (companyId: CompanyId, listed: ReadonlyArray<ListedSubscription>) {
        const payments = yield* transactions.latestOfSubscriptions(
          companyId,
          listed.map(({ subscription }) => subscription.id),
          Math.min(paymentsOfSubscription, Math.floor(paymentsOfPage / listed.length))
        )
        const paymentsOf = Map.groupBy(payments, ({ transaction }) => subscriptionOf(transaction))
        const shown = new Views.Page()
        return listed.map((one) =>
          Views.subscription({ ...one, transactions: paymentsOf.get(one.subscription.id) ?? [] }, settings, shown)
        )
      })

      return Listings.of({
        subscription: Spans.fn("Listings.subscription")(function* (companyId, ref) {
          const filter = ref.typeId === "svcPayId" ? { svcPayIds: [ref.id] } : { myIds: [ref.id] }
          const listed = yield* subscriptions.list(companyId, filter, { startAt: 0, limit: 1, order: [] })
          const [view] = yield* show(companyId, listed)
          return view ?? (yield* refuse({ _tag: "SubscriptionNotFound", typeId: ref.typeId }))
        }),
        subscriptions: Spans.fn("Listings.subscriptions")(function* (companyId, filter, page) {
          return yield* show(companyId, yield* subscriptions.list(companyId, filter, page))
        }),
        charges: Spans.fn("Listings.charges")(function* (companyId, filter, page) {
          const listed = yield* charges.list(companyId, filter, page)
          const ids = listed.map(({ charge }) => charge.id)
          const payments = Map.groupBy(
            yield* transactions.ofCharges(companyId, ids),
            ({ transaction: { owner } }) => owner.id
          )
          const shown = new Views.Page()
          return listed.map((one) =>
            Views.charge({ ...one, transactions: payments.get(one.charge.id) ?? [] }, settings, shown)
          )
        }),
        transactions: Spans.fn("Listings.transactions")(
          (companyId: CompanyId, filter: FilterOf<TransactionList>, page: PageOf<TransactionList>) =>
            Effect.map(transactions.list(companyId, filter, page), (listed) => {
              const shown = listed.length > 1 ? new Views.Page() : undefined
              return listed.map((one) => Views.transaction(one, settings, shown))
            })
        )
      })
    })
  )
}
