/**
 * Cards, charges, customers, plans and subscriptions in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardList, ChargeList, CustomerList, PlanList, SubscriptionList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { Cards } from "@parcela/engine/ports/Cards"
import { Charges } from "@parcela/engine/ports/Charges"
import { Customers } from "@parcela/engine/ports/Customers"
import { Plans } from "@parcela/engine/ports/Plans"
import { Subscriptions } from "@parcela/engine/ports/Subscriptions"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import { cardColumns, chargeColumns, customerColumns, planColumns, subscriptionColumns } from "./lists/EntityColumns.ts"
import * as EntityRows from "./lists/EntityRows.ts"
import { listSql } from "./lists/ListSql.ts"
import * as References from "./lists/References.ts"
import { payer, payerOf } from "./lists/References.ts"
import { customers, owedFrom, standingOf } from "./tables/Customers.ts"
import { cards, charges, plans, subscriptions } from "./tables/Entities.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerCards: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.gen(function* () {
    const { find, selectReferring } = yield* EntityRows.make({ port: "Cards", table: cards })
    const owner = References.to({ customer: { table: customers, by: "customer_id" } })
    return Cards.of({
      find,
      list: Spans.fn("Cards.list")((companyId: CompanyId, filter: FilterOf<CardList>, page: PageOf<CardList>) =>
        selectReferring(listSql(cardColumns, companyId, { filter, page }), owner, (card, { customer }) =>
          Result.succeed({ card, customer: customer?.myId === undefined ? {} : { myId: customer.myId } })
        )
      )
    })
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerCharges: Layer.Layer<Charges, never, SqlClient.SqlClient> = Layer.effect(
  Charges,
  Effect.gen(function* () {
    const { find, selectReferring } = yield* EntityRows.make({ port: "Charges", table: charges })
    return Charges.of({
      find,
      list: Spans.fn("Charges.list")((companyId: CompanyId, filter: FilterOf<ChargeList>, page: PageOf<ChargeList>) =>
        selectReferring(listSql(chargeColumns, companyId, { filter, page }), payer, (charge, found) =>
          Result.map(payerOf(found), (paying) => ({ charge, ...paying }))
        )
      )
    })
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerCustomers: Layer.Layer<Customers, never, SqlClient.SqlClient> = Layer.effect(
  Customers,
  Effect.gen(function* () {
    const { selectWith } = yield* EntityRows.make({ port: "Customers", table: customers })
    const standing = ["contracts", `${owedFrom("listed.company_id", "listed.id")} AS owed_from`]
    return Customers.of({
      list: Spans.fn("Customers.list")(
        (companyId: CompanyId, filter: FilterOf<CustomerList>, page: PageOf<CustomerList>, today: LocalDate) => {
          const list = listSql(customerColumns(today), companyId, { filter, page })
          // The subquery computes the standing only for the rows of the page.
          const listed: EntityRows.Query = (columns, dialect) => {
            const page = list("data, version, state_version, id, company_id, contracts", dialect)
            return { ...page, text: `SELECT ${columns} FROM (${page.text}) AS listed` }
          }
          return selectWith(listed, standing, (customer, row) =>
            Result.map(standingOf(row), (standing) => ({ customer, standing }))
          )
        }
      )
    })
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerPlans: Layer.Layer<Plans, never, SqlClient.SqlClient> = Layer.effect(
  Plans,
  Effect.gen(function* () {
    const { selectWith } = yield* EntityRows.make({ port: "Plans", table: plans })
    return Plans.of({
      list: Spans.fn("Plans.list")((companyId: CompanyId, filter: FilterOf<PlanList>, page: PageOf<PlanList>) =>
        selectWith(listSql(planColumns, companyId, { filter, page }), [], (plan) => Result.succeed(plan))
      )
    })
  })
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerSubscriptions: Layer.Layer<Subscriptions, never, SqlClient.SqlClient> = Layer.effect(
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
