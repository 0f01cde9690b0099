/**
 * Port: the plans of each company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { PlanList } from "@parcela/core/lists/EntityLists"
import type { PlanState } from "@parcela/core/plans/PlanDecider"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * @category ports
 * @since 0.1.0
 */
export class Plans extends Context.Service<
  Plans,
  {
    /** Returns a page of plans. An absent filter field matches all plans. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<PlanList>,
      page: PageOf<PlanList>
    ) => Effect.Effect<ReadonlyArray<PlanState>, StoreError>
  }
>()("@parcela/engine/ports/Plans") {}
