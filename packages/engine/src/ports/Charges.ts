/**
 * Port: the charges of each company.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { ChargeList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { EntityRef } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * A charge with its customer and card.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedCharge {
  readonly charge: ChargeState
  readonly customer: CustomerState
  readonly card: CardState | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Charges extends Context.Service<
  Charges,
  {
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<ChargeState>, StoreError>
    /** Returns a page of charges. An absent filter field matches all charges. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<ChargeList>,
      page: PageOf<ChargeList>
    ) => Effect.Effect<ReadonlyArray<ListedCharge>, StoreError>
  }
>()("@parcela/engine/ports/Charges") {}
