/**
 * Plans in SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { PlanList } from "@parcela/core/lists/PlanList"
import { Plans } from "@parcela/engine/ports/Plans"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as SqlClient from "effect/sql/SqlClient"
import * as EntityRows from "./internal/EntityRows.ts"
import { listSql } from "./lists/ListSql.ts"
import { planColumns } from "./lists/PlanColumns.ts"
import { plans } from "./tables/Plans.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<Plans, never, SqlClient.SqlClient> = Layer.effect(
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
