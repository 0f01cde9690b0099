/**
 * Transactions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { TransactionList } from "@parcela/core/lists/TransactionList"
import type { TransactionReference } from "@parcela/core/transactions/TransactionReference"
import { documentKeyOf, type TransactionState } from "@parcela/core/transactions/TransactionState"
import { Corrupt, StoreError } from "@parcela/engine/ports/StoreError"
import { type ListedTransaction, Transactions, type TransactionWithCard } from "@parcela/engine/ports/Transactions"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { stateOf } from "./commands/Load.ts"
import type { Row } from "./commands/Statement.ts"
import * as EntityRows from "./internal/EntityRows.ts"
import { listSql } from "./lists/ListSql.ts"
import { transactionColumns } from "./lists/TransactionColumns.ts"
import { cards } from "./tables/Cards.ts"
import { charges } from "./tables/Charges.ts"
import { customers } from "./tables/Customers.ts"
import { subscriptions } from "./tables/Subscriptions.ts"
import { transactions } from "./tables/Transactions.ts"

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
    const withCard = besideCard(sql)
    const withOwner = besideOwner(sql)

    return Transactions.of({
      find,

      findByDocument: Spans.fn("Transactions.findByDocument")(function* (svcPayId: SvcPayId, documentKey: string) {
        const [state] = yield* selectAny(sql`SELECT ${columns} FROM transactions WHERE id = ${svcPayId}`)
        return state !== undefined && documentKeyOf(state) === documentKey ? Option.some(state) : Option.none()
      }),

      findByReference: Spans.fn("Transactions.findByReference")(function* ({ kind, value }: TransactionReference) {
        return yield* selectAny(sql`
          SELECT ${columns} FROM transactions WHERE id IN (
            SELECT transaction_id FROM external_references WHERE kind = ${kind} AND value = ${value}
          ) ORDER BY id
        `)
      }),

      list: Spans.fn("Transactions.list")(
        (companyId: CompanyId, filter: FilterOf<TransactionList>, page: PageOf<TransactionList>) =>
          selectBeside(listSql(sql, transactionColumns, companyId, { filter, page }), withOwner)
      ),

      ofCharges: Spans.fn("Transactions.ofCharges")(function* (
        companyId: CompanyId,
        chargeIds: ReadonlyArray<SvcPayId>
      ) {
        if (chargeIds.length === 0) return []
        // A charge has one payment.
        const payments = (columns: Fragment) => sql`SELECT ${columns} FROM transactions
          WHERE company_id = ${companyId} AND ${sql.in("charge_id", chargeIds)} ORDER BY id LIMIT ${chargeIds.length}`
        return yield* selectBeside(payments, withCard)
      }),

      latestOfSubscriptions: Spans.fn("Transactions.latestOfSubscriptions")(function* (
        companyId: CompanyId,
        subscriptionIds: ReadonlyArray<SvcPayId>,
        perSubscription: number
      ) {
        if (subscriptionIds.length === 0) return []
        return yield* selectBeside(latestSql(sql, companyId, subscriptionIds, perSubscription), withCard)
      })
    })
  })
)

const card = (sql: SqlClient.SqlClient) => EntityRows.stateBeside(sql, "cards", "card", "card_id")

const cardOf = (row: Row) => Result.map(stateOf(cards, "card", row), (seen) => seen?.state)

const besideCard = (sql: SqlClient.SqlClient): EntityRows.Beside<TransactionState, TransactionWithCard> => ({
  by: ["card_id"],
  columns: card(sql),
  read: (transaction, row) => Result.map(cardOf(row), (card) => ({ transaction, card }))
})

const besideOwner = (sql: SqlClient.SqlClient): EntityRows.Beside<TransactionState, ListedTransaction> => ({
  by: ["card_id", "subscription_id", "charge_id", "customer_id"],
  columns: sql.csv([
    card(sql),
    EntityRows.stateBeside(sql, "subscriptions", "subscription", "subscription_id"),
    EntityRows.stateBeside(sql, "charges", "charge", "charge_id"),
    EntityRows.stateBeside(sql, "customers", "customer", "customer_id")
  ]),
  read: (transaction, row) =>
    Result.gen(function* () {
      const card = yield* cardOf(row)
      const customer = yield* stateOf(customers, "customer", row)
      const subscription = yield* stateOf(subscriptions, "subscription", row)
      const charge = yield* stateOf(charges, "charge", row)
      if (customer === undefined) return yield* Result.fail(withoutOwner)
      const beside = { transaction, card, customer: customer.state }
      if (subscription !== undefined) {
        return { ...beside, owner: { _tag: "Subscription", subscription: subscription.state } as const }
      }
      return charge === undefined
        ? yield* Result.fail(withoutOwner)
        : { ...beside, owner: { _tag: "Charge", charge: charge.state } as const }
    })
})

const withoutOwner = new StoreError({
  reason: new Corrupt({ table: "transactions", cause: new Error("A transaction has no owner, or no customer") })
})

/** One end of an index for each subscription: a window function would read all that they ever had. */
const latestSql =
  (
    sql: SqlClient.SqlClient,
    companyId: CompanyId,
    subscriptionIds: ReadonlyArray<SvcPayId>,
    perSubscription: number
  ): ((columns: Fragment) => Fragment) =>
  (columns) => {
    const latest = subscriptionIds.map(
      (id) => sql`SELECT id FROM (
        SELECT id FROM transactions WHERE company_id = ${companyId} AND subscription_id = ${id}
        ORDER BY id DESC LIMIT ${perSubscription}
      ) AS latest`
    )
    return sql`SELECT ${columns} FROM transactions
      WHERE company_id = ${companyId} AND id IN (${sql.join(" UNION ALL ", false)(latest)})
      ORDER BY id LIMIT ${subscriptionIds.length * perSubscription}`
  }
