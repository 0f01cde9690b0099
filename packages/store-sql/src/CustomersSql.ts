/**
 * Customers in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerList } from "@parcela/core/lists/CustomerList"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { LocalDate } from "@parcela/core/time/LocalDate"
import { Customers } from "@parcela/engine/ports/Customers"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { customerColumns } from "./lists/CustomerColumns.ts"
import { listSql } from "./lists/ListSql.ts"
import { customers, owedFrom, standingOf } from "./tables/Customers.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Customers, never, SqlClient.SqlClient> = Layer.effect(
  Customers,
  Effect.gen(function* () {
    const { selectWith } = yield* EntityRows.make({ port: "Customers", table: customers })
    const standing = ["contracts", `${owedFrom("listed.company_id", "listed.id")} AS owed_from`]
    return Customers.of({
      list: Spans.fn("Customers.list")(
        (companyId: CompanyId, filter: FilterOf<CustomerList>, page: PageOf<CustomerList>, today: LocalDate) => {
          const list = listSql(customerColumns(today), companyId, { filter, page })
          // What is computed of a row is computed of those of the page alone.
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
