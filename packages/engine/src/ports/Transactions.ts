/**
 * Port: the transactions of each company's subscriptions and charges. Reads only; writes go through `CommandStore`.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef, SvcPayId } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { TransactionList } from "@parcela/core/lists/EntityLists"
import type { TransactionReference, TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ShownOwner } from "./PaymentOwner.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * A transaction with its card.
 *
 * @category models
 * @since 0.1.0
 */
export interface TransactionWithCard {
  readonly transaction: TransactionState
  readonly card: CardState | undefined
}

/**
 * A transaction with its owner, customer and card.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedTransaction extends TransactionWithCard {
  readonly owner: ShownOwner
  readonly customer: CustomerState
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Transactions extends Context.Service<
  Transactions,
  {
    readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<TransactionState>, StoreError>
    /** Returns the transaction of any company with this identifier and `documentKey`. */
    readonly findByDocument: (
      svcPayId: SvcPayId,
      documentKey: string
    ) => Effect.Effect<Option.Option<TransactionState>, StoreError>
    /**
     * Returns the transactions of any company with this reference, current or past, including references of denied or
     * withdrawn attempts. Two providers' references may collide: a caller that acts on a reference alone must refuse
     * several matches.
     */
    readonly findByReference: (
      reference: TransactionReference
    ) => Effect.Effect<ReadonlyArray<TransactionState>, StoreError>
    /** Returns a page of transactions with their owners, customers and cards. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<TransactionList>,
      page: PageOf<TransactionList>
    ) => Effect.Effect<ReadonlyArray<ListedTransaction>, StoreError>
    /** Returns the transactions with these identifiers, ordered by identifier. */
    readonly ofIds: (
      companyIds: ReadonlyArray<CompanyId>,
      ids: ReadonlyArray<SvcPayId>
    ) => Effect.Effect<ReadonlyArray<TransactionState>, StoreError>
    /** Returns the payments of these charges, ordered by identifier. */
    readonly ofCharges: (
      companyId: CompanyId,
      chargeIds: ReadonlyArray<SvcPayId>
    ) => Effect.Effect<ReadonlyArray<TransactionWithCard>, StoreError>
    /** Returns the latest `perSubscription` payments of each subscription, ordered by identifier. */
    readonly latestOfSubscriptions: (
      companyId: CompanyId,
      subscriptionIds: ReadonlyArray<SvcPayId>,
      perSubscription: number
    ) => Effect.Effect<ReadonlyArray<TransactionWithCard>, StoreError>
  }
>()("@parcela/engine/ports/Transactions") {}
