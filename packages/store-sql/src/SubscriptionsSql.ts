/**
 * Subscriptions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { SubscriptionList } from "@parcela/core/lists/SubscriptionList"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { type ListedSubscription, Subscriptions } from "@parcela/engine/ports/Subscriptions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { stateOf } from "./commands/Load.ts"
import { withoutCustomer } from "./commands/Subscriber.ts"
import * as EntityRows from "./internal/EntityRows.ts"
import { listSql } from "./lists/ListSql.ts"
import { subscriptionColumns } from "./lists/SubscriptionColumns.ts"
import { cards } from "./tables/Cards.ts"
import { customers } from "./tables/Customers.ts"
import { subscriptions } from "./tables/Subscriptions.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Subscriptions, never, SqlClient.SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, selectBeside } = yield* EntityRows.make({ port: "Subscriptions", table: subscriptions })

    const beside: EntityRows.Beside<SubscriptionState, ListedSubscription> = {
      by: ["customer_id", "card_id"],
      columns: sql.csv([
        EntityRows.stateBeside(sql, "customers", "customer", "customer_id"),
        EntityRows.stateBeside(sql, "cards", "card", "card_id")
      ]),
      read: (subscription, row) =>
        Result.gen(function* () {
          const customer = yield* stateOf(customers, "customer", row)
          if (customer === undefined) return yield* Result.fail(withoutCustomer)
          const card = yield* stateOf(cards, "card", row)
          return { subscription, customer: customer.state, card: card?.state }
        })
    }

    return Subscriptions.of({
      find,
      list: Effect.fn("Subscriptions.list")(
        (companyId: CompanyId, filter: FilterOf<SubscriptionList>, page: PageOf<SubscriptionList>) =>
          selectBeside(listSql(sql, subscriptionColumns, companyId, { filter, page }), beside)
      )
    })
  })
)
