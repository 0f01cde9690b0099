/**
 * Subscriptions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { SubscriptionList } from "@parcela/core/lists/SubscriptionList"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { payer, payerOf } from "./internal/PayerBeside.ts"
import { listSql } from "./lists/ListSql.ts"
import { subscriptionColumns } from "./lists/SubscriptionColumns.ts"
import { subscriptions } from "./tables/Subscriptions.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Subscriptions, never, SqlClient.SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const { find, selectReferring } = yield* EntityRows.make({ port: "Subscriptions", table: subscriptions })
    return Subscriptions.of({
      find,
      list: Spans.fn("Subscriptions.list")(
        (companyId: CompanyId, filter: FilterOf<SubscriptionList>, page: PageOf<SubscriptionList>) =>
          selectReferring(listSql(subscriptionColumns, companyId, { filter, page }), payer, (subscription, found) =>
            Result.map(payerOf(found), (paying) => ({ subscription, ...paying }))
          )
      )
    })
  })
)
