/**
 * Port: the subscriptions of each company.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Page, Span } from "../queries/Page.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * Which subscriptions of a company; what is absent does not narrow.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionFilter {
  readonly svcPayIds?: ReadonlyArray<number> | undefined
  readonly myIds?: ReadonlyArray<string> | undefined
  readonly customerSvcPayIds?: ReadonlyArray<number> | undefined
  readonly customerMyIds?: ReadonlyArray<string> | undefined
  readonly status?: ReadonlyArray<string> | undefined
  readonly created?: Span | undefined
  readonly createdOrUpdated?: Span | undefined
}

/**
 * A subscription with what is shown beside it.
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
    /** A page, with the customer and the card of each subscription. */
    readonly list: (
      companyId: CompanyId,
      filter: SubscriptionFilter,
      page: Page<"createdAt" | "updatedAt">
    ) => Effect.Effect<ReadonlyArray<ListedSubscription>, StoreError>
  }
>()("@parcela/engine/ports/Subscriptions") {}
