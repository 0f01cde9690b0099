/**
 * Cards in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardList } from "@parcela/core/lists/CardList"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import { Cards } from "@parcela/engine/ports/Cards"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import * as Referred from "./internal/Referred.ts"
import { cardColumns } from "./lists/CardColumns.ts"
import { listSql } from "./lists/ListSql.ts"
import { cards } from "./tables/Cards.ts"
import { customers } from "./tables/Customers.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.gen(function* () {
    const { find, selectReferring } = yield* EntityRows.make({ port: "Cards", table: cards })
    const owner = Referred.to({ customer: { table: customers, by: "customer_id" } })
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
