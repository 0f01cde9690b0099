/**
 * Cards in SQL.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardList } from "@parcela/core/lists/CardList"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import { MyId } from "@parcela/core/values/Identifier"
import { Cards, type ListedCard } from "@parcela/engine/ports/Cards"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import { cardColumns } from "./lists/CardColumns.ts"
import { listSql } from "./lists/ListSql.ts"
import { cards } from "./tables/Cards.ts"

const decodeOwner = Schema.decodeUnknownResult(Schema.Struct({ customer_my_id: Schema.NullOr(MyId) }))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Cards, never, SqlClient.SqlClient> = Layer.effect(
  Cards,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find, selectBeside } = yield* EntityRows.make({ port: "Cards", table: cards })

    const beside: EntityRows.Beside<CardState, ListedCard> = {
      by: ["customer_id"],
      columns: sql.literal("(SELECT my_id FROM customers WHERE id = listed.customer_id) AS customer_my_id"),
      read: (card, row) =>
        Result.mapBoth(decodeOwner(row), {
          onSuccess: ({ customer_my_id: myId }) => ({ card, customer: myId === null ? {} : { myId } }),
          onFailure: toStoreError("cards")
        })
    }

    return Cards.of({
      find,
      list: Spans.fn("Cards.list")((companyId: CompanyId, filter: FilterOf<CardList>, page: PageOf<CardList>) =>
        selectBeside(listSql(sql, cardColumns, companyId, { filter, page }), beside)
      )
    })
  })
)
