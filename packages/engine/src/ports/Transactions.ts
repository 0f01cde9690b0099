/**
 * Port: the transactions of each company's subscriptions and charges.
 *
 * @since 0.1.0
 */
import type { CardState } from "@parcela/core/cards/CardState"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef, SvcPayId } from "@parcela/core/values/Identifier"
import type { FilterOf, PageOf } from "@parcela/core/lists/ListDefinition"
import type { TransactionList } from "@parcela/core/lists/TransactionList"
import type { TransactionReference } from "@parcela/core/transactions/TransactionReference"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ShownOwner } from "./PaymentOwner.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * A transaction with the card that it is paid with.
 *
 * @category models
 * @since 0.1.0
 */
export interface TransactionWithCard {
  readonly transaction: TransactionState
  readonly card: CardState | undefined
}

/**
 * A transaction with what a list shows beside it.
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
    /** The transaction of any company with that identifier, when this is its `documentKey`. */
    readonly findByDocument: (
      svcPayId: SvcPayId,
      documentKey: string
    ) => Effect.Effect<Option.Option<TransactionState>, StoreError>
    /**
     * The transactions of any company that have, or had, this reference: what a provider calls any attempt of it counts, also one
     * that was denied or withdrawn. One, unless a provider calls two things the same: a caller that acts on a reference alone
     * must refuse to choose.
     */
    readonly findByReference: (
      reference: TransactionReference
    ) => Effect.Effect<ReadonlyArray<TransactionState>, StoreError>
    /** A page, with all that is shown beside each transaction. */
    readonly list: (
      companyId: CompanyId,
      filter: FilterOf<TransactionList>,
      page: PageOf<TransactionList>
    ) => Effect.Effect<ReadonlyArray<ListedTransaction>, StoreError>
    /** Those of the companies that have these identifiers, all by identifier. */
    readonly ofIds: (
      companyIds: ReadonlyArray<CompanyId>,
      ids: ReadonlyArray<SvcPayId>
    ) => Effect.Effect<ReadonlyArray<TransactionState>, StoreError>
    /** The payments of these charges, all by identifier. */
    readonly ofCharges: (
      companyId: CompanyId,
      chargeIds: ReadonlyArray<SvcPayId>
    ) => Effect.Effect<ReadonlyArray<TransactionWithCard>, StoreError>
    /** The latest of each of these subscriptions, at most `perSubscription` of each, all by identifier. */
    readonly latestOfSubscriptions: (
      companyId: CompanyId,
      subscriptionIds: ReadonlyArray<SvcPayId>,
      perSubscription: number
    ) => Effect.Effect<ReadonlyArray<TransactionWithCard>, StoreError>
  }
>()("@parcela/engine/ports/Transactions") {}
