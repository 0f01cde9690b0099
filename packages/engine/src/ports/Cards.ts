/**
 * Port: the cards of each company's customers.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CardList } from "@parcela/core/lists/EntityLists"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { EntityRef, MyId } from "@parcela/core/values/Identifier"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * A card with its customer's `myId`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedCard {
  readonly card: CardState
  readonly customer: { readonly myId?: MyId }
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Cards extends Context.Service<
  Cards,
  {
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<CardState>, StoreError>
    /** Returns a page of cards. An absent filter field matches all cards. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<CardList>,
      page: PageOf<CardList>
    ) => Effect.Effect<ReadonlyArray<ListedCard>, StoreError>
  }
>()("@parcela/engine/ports/Cards") {}
