/**
 * Port: the subscriptions of each company.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EntityRef, SvcPayId } from "@parcela/core/Identifier"
import type { SubscriptionState } from "@parcela/core/SubscriptionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Page, Span } from "./Page.ts"
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
 * @category ports
 * @since 0.1.0
 */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Fails with `Conflict` when the company has a subscription of that `myId` already. */
    readonly insert: (subscription: SubscriptionState) => Effect.Effect<void, StoreError>
    readonly update: (subscription: SubscriptionState) => Effect.Effect<void, StoreError>
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<SubscriptionState>, StoreError>
    /** Like `find`, and nobody else can change it until the open transaction ends. */
    readonly findForUpdate: (
      companyId: CompanyId,
      ref: EntityRef
    ) => Effect.Effect<Option.Option<SubscriptionState>, StoreError>
    /** Those of the company among `ids`, in no promised order. */
    readonly findMany: (
      companyId: CompanyId,
      ids: ReadonlyArray<SvcPayId>
    ) => Effect.Effect<ReadonlyArray<SubscriptionState>, StoreError>
    readonly list: (
      companyId: CompanyId,
      filter: SubscriptionFilter,
      page: Page<"createdAt" | "updatedAt">
    ) => Effect.Effect<ReadonlyArray<SubscriptionState>, StoreError>
  }
>()("@parcela/engine/Subscriptions") {}
