/**
 * Charges in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ChargeList } from "@parcela/core/lists/ChargeList"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import { Charges } from "@parcela/engine/ports/Charges"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { payer, payerOf } from "./internal/PayerBeside.ts"
import { chargeColumns } from "./lists/ChargeColumns.ts"
import { listSql } from "./lists/ListSql.ts"
import { charges } from "./tables/Charges.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Charges, never, SqlClient.SqlClient> = Layer.effect(
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
