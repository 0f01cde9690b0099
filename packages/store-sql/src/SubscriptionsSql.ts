/**
 * Subscriptions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { Page } from "@parcela/engine/queries/Page"
import { type ListedSubscription, type SubscriptionFilter, Subscriptions } from "@parcela/engine/ports/Subscriptions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import { stateOf } from "./commands/Load.ts"
import { withoutCustomer } from "./commands/Subscriber.ts"
import * as EntityRows from "./internal/EntityRows.ts"
import * as ListIndexes from "./internal/ListIndexes.ts"
import * as Listing from "./internal/Listing.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
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

    // A change is never before the creation: with one end, one column says it all.
    const createdOrUpdated = (span: SubscriptionFilter["createdOrUpdated"]): ReadonlyArray<Listing.Filter> => {
      const { before, from } = span ?? {}
      const name = "createdOrUpdated"
      if (before === undefined) return Listing.within(sql, name, "updated_at", { from })
      const created = Listing.within(sql, name, "created_at", span)[0]!
      const updated = Listing.within(sql, name, "updated_at", span)[0]!
      return [
        {
          name,
          values: "many",
          rangeOf: "updated_at",
          condition: (write) =>
            from === undefined ? created.condition(write) : sql.or([created.condition(write), updated.condition(write)])
        }
      ]
    }

    const filtersOf = (companyId: CompanyId, filter: SubscriptionFilter): ReadonlyArray<Listing.Filter> => [
      ...Listing.among(sql, "svcPayIds", "id", filter.svcPayIds, { unique: true }),
      ...Listing.among(sql, "myIds", "my_id", filter.myIds, { unique: true }),
      ...Listing.referring(sql, "customer", "customer_id", {
        companyId,
        table: "customers",
        svcPayIds: filter.customerSvcPayIds,
        myIds: filter.customerMyIds
      }),
      ...Listing.among(sql, "status", "status", filter.status),
      ...createdOrUpdated(filter.createdOrUpdated),
      ...Listing.within(sql, "created", "created_at", filter.created)
    ]

    return Subscriptions.of({
      find,
      list: Effect.fn("Subscriptions.list")(function* (
        companyId: CompanyId,
        filter: SubscriptionFilter,
        page: Page<"createdAt" | "updatedAt">
      ) {
        const { conditions, rest } = yield* Listing.make(sql, ListIndexes.subscriptions, {
          companyId,
          filters: filtersOf(companyId, filter),
          page,
          columns: { createdAt: "created_at", updatedAt: "updated_at" }
        }).pipe(Effect.mapError(toStoreError("subscriptions")))
        return yield* selectBeside(companyId, conditions, rest, beside)
      })
    })
  })
)
