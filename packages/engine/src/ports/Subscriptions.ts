/**
 * Port: the subscriptions of each company.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { SubscriptionList } from "@parcela/core/lists/EntityLists"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * A subscription with its customer and card.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedSubscription {
  readonly subscription: SubscriptionState
  readonly customer: CustomerState
  readonly card: CardState | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<SubscriptionState>, StoreError>
    /** Returns a page of subscriptions. An absent filter field matches all subscriptions. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<SubscriptionList>,
      page: PageOf<SubscriptionList>
    ) => Effect.Effect<ReadonlyArray<ListedSubscription>, StoreError>
  }
>()("@parcela/engine/ports/Subscriptions") {}
