/**
 * Subscriptions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import { SubscriptionState } from "@parcela/core/SubscriptionState"
import type { Page } from "@parcela/engine/Page"
import { type SubscriptionFilter, Subscriptions } from "@parcela/engine/Subscriptions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { among, paged, within } from "./internal/Listing.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Subscriptions, never, SqlClient.SqlClient> = Layer.effect(
  Subscriptions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, findForUpdate, findMany, insert, select, update } = yield* EntityRows.make({
      port: "Subscriptions",
      table: "subscriptions",
      schema: SubscriptionState,
      columns: ({ createdAt, customerId, status, updatedAt }) => ({
        customer_id: customerId,
        status,
        created_at: createdAt,
        updated_at: updatedAt
      })
    })

    const ofCustomers = (companyId: CompanyId, myIds: ReadonlyArray<string> | undefined) =>
      myIds === undefined
        ? []
        : [
            sql`customer_id IN (
              SELECT id FROM customers WHERE company_id = ${companyId} AND ${sql.in("my_id", myIds)}
            )`
          ]

    const createdOrUpdated = (span: SubscriptionFilter["createdOrUpdated"]) =>
      span === undefined
        ? []
        : [sql.or([sql.and(within(sql, "created_at", span)), sql.and(within(sql, "updated_at", span))])]

    return Subscriptions.of({
      insert,
      update,
      find,
      findForUpdate,
      findMany,
      list: Effect.fn("Subscriptions.list")(function* (
        companyId: CompanyId,
        filter: SubscriptionFilter,
        page: Page<"createdAt" | "updatedAt">
      ) {
        return yield* select(
          companyId,
          [
            ...among(sql, "id", filter.svcPayIds),
            ...among(sql, "my_id", filter.myIds),
            ...among(sql, "customer_id", filter.customerSvcPayIds),
            ...ofCustomers(companyId, filter.customerMyIds),
            ...among(sql, "status", filter.status),
            ...within(sql, "created_at", filter.created),
            ...createdOrUpdated(filter.createdOrUpdated)
          ],
          paged(sql, page, { createdAt: "created_at", updatedAt: "updated_at" })
        )
      })
    })
  })
)
