/**
 * Transactions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MyId, type SvcPayId } from "@parcela/core/values/Identifier"
import type { TransactionReference } from "@parcela/core/transactions/TransactionReference"
import { documentKeyOf, subscriptionOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import type { Page } from "@parcela/engine/queries/Page"
import {
  type ListedTransaction,
  type TransactionFilter,
  Transactions,
  type TransactionWithCard
} from "@parcela/engine/ports/Transactions"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { stateOf } from "./commands/Load.ts"
import type { Row } from "./commands/Statement.ts"
import * as EntityRows from "./internal/EntityRows.ts"
import * as ListIndexes from "./internal/ListIndexes.ts"
import * as Listing from "./internal/Listing.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import { cards } from "./tables/Cards.ts"
import { transactions } from "./tables/Transactions.ts"

const decodeOwner = Schema.decodeUnknownResult(Schema.NullOr(MyId))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Transactions, never, SqlClient.SqlClient> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { columns, find, selectAny, selectBeside } = yield* EntityRows.make({
      port: "Transactions",
      table: transactions
    })

    const card = EntityRows.stateBeside(sql, "cards", "card", "card_id")
    const cardOf = (row: Row) => Result.map(stateOf(cards, "card", row), (seen) => seen?.state)

    const withCard: EntityRows.Beside<TransactionState, TransactionWithCard> = {
      by: ["card_id"],
      columns: card,
      read: (transaction, row) => Result.map(cardOf(row), (card) => ({ transaction, card }))
    }

    const withOwner: EntityRows.Beside<TransactionState, ListedTransaction> = {
      by: ["card_id", "subscription_id"],
      columns: sql`${card},
        (SELECT my_id FROM subscriptions WHERE id = listed.subscription_id) AS subscription_my_id`,
      read: (transaction, row) =>
        Result.gen(function* () {
          const id = subscriptionOf(transaction)
          const myId = yield* Result.mapError(decodeOwner(row["subscription_my_id"]), toStoreError("subscriptions"))
          return {
            transaction,
            card: yield* cardOf(row),
            subscription: id === undefined || myId === null ? undefined : { id, myId }
          }
        })
    }

    const filtersOf = (companyId: CompanyId, filter: TransactionFilter): ReadonlyArray<Listing.Filter> => [
      ...Listing.among(sql, "svcPayIds", "id", filter.svcPayIds, { unique: true }),
      ...Listing.among(sql, "myIds", "my_id", filter.myIds, { unique: true }),
      ...Listing.referring(sql, "subscription", "subscription_id", {
        companyId,
        table: "subscriptions",
        svcPayIds: filter.subscriptionSvcPayIds,
        myIds: filter.subscriptionMyIds
      }),
      ...Listing.referring(sql, "customer", "customer_id", {
        companyId,
        table: "customers",
        svcPayIds: filter.customerSvcPayIds,
        myIds: filter.customerMyIds
      }),
      ...Listing.among(sql, "status", "status", filter.status),
      ...Listing.within(sql, "payday", "payday", filter.payday),
      ...Listing.within(sql, "statusChanged", "status_at", filter.statusChanged),
      ...Listing.within(sql, "created", "created_at", filter.created)
    ]

    return Transactions.of({
      find,

      findByDocument: Effect.fn("Transactions.findByDocument")(function* (svcPayId: SvcPayId, documentKey: string) {
        const [state] = yield* selectAny(sql`SELECT ${columns} FROM transactions WHERE id = ${svcPayId}`)
        return state !== undefined && documentKeyOf(state) === documentKey ? Option.some(state) : Option.none()
      }),

      findByReference: Effect.fn("Transactions.findByReference")(function* ({ kind, value }: TransactionReference) {
        return yield* selectAny(sql`
          SELECT ${columns} FROM transactions WHERE id IN (
            SELECT transaction_id FROM external_references WHERE kind = ${kind} AND value = ${value}
          ) ORDER BY id
        `)
      }),

      list: Effect.fn("Transactions.list")(function* (
        companyId: CompanyId,
        filter: TransactionFilter,
        page: Page<"createdAt" | "payday">
      ) {
        const { conditions, rest } = yield* Listing.make(sql, ListIndexes.transactions, {
          companyId,
          filters: filtersOf(companyId, filter),
          page,
          columns: { createdAt: "created_at", payday: "payday" }
        }).pipe(Effect.mapError(toStoreError("transactions")))
        return yield* selectBeside(companyId, conditions, rest, withOwner)
      }),

      latestOfSubscriptions: Effect.fn("Transactions.latestOfSubscriptions")(function* (
        companyId: CompanyId,
        subscriptionIds: ReadonlyArray<SvcPayId>,
        perSubscription: number
      ) {
        if (subscriptionIds.length === 0) return []
        // One end of an index for each subscription: a window function would read all that they ever had.
        const latest = subscriptionIds.map(
          (id) => sql`SELECT id FROM (
            SELECT id FROM transactions WHERE company_id = ${companyId} AND subscription_id = ${id}
            ORDER BY id DESC LIMIT ${perSubscription}
          ) AS latest`
        )
        const among = sql`id IN (${sql.join(" UNION ALL ", false)(latest)})`
        const rest = sql`ORDER BY id LIMIT ${subscriptionIds.length * perSubscription}`
        return yield* selectBeside(companyId, [among], rest, withCard)
      })
    })
  })
)
