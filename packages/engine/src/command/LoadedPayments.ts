/**
 * What a payment is loaded with.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CardState, VaultToken } from "@parcela/core/cards/CardState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"
import type { CompanyContext, Guard } from "./LoadedCompany.ts"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { FoundPlans } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"

/**
 * A transaction with all that its decisions, its deliveries and its responses need.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentContext extends CompanyContext {
  /** Of its owner. */
  readonly guard: Guard
  readonly owner: PaymentOwner
  readonly customer: CustomerState
  readonly transaction: TransactionState
  /** The card that the transaction is paid with. */
  readonly card: CardState | undefined
  /** Of the transaction's attempts the one under way and the one that was asked for, first begun first. */
  readonly attempts: ReadonlyArray<Attempt>
}

/**
 * What an edit of a payment rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentEditContext extends PaymentContext, OnCards {
  /** The payment of the `myId` that the edit gives, if there is one. */
  readonly sameMyId: TransactionState | undefined
}

/**
 * What names a transaction: itself, one of its attempts, or the charge whose payment it is.
 *
 * @category models
 * @since 0.1.0
 */
export type PaymentRef =
  | EntityRef
  | { readonly typeId: "attempt"; readonly id: AttemptId }
  | { readonly typeId: "charge"; readonly charge: EntityRef }

/**
 * @category models
 * @since 0.1.0
 */
export interface PaymentArgs {
  readonly companyId: CompanyId
  readonly transaction: PaymentRef
  /** One of its attempts, which is brought beside the one under way; otherwise the one that names the payment. */
  readonly attempt?: AttemptId | undefined
}

/**
 * Whom a request names as its customer.
 *
 * @category models
 * @since 0.1.0
 */
export interface CustomerQuery {
  readonly svcPayId?: SvcPayId | undefined
  readonly myId?: MyId | undefined
  readonly document?: string | undefined
}

/**
 * The customers and the cards that a request may mean.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundPayer {
  readonly customers: {
    readonly bySvcPayId: CustomerState | undefined
    readonly byMyId: CustomerState | undefined
    readonly byDocument: CustomerState | undefined
  }
  /** Of the customers that were found. */
  readonly versions: ReadonlyMap<SvcPayId, number>
  readonly cards: FoundCards
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewChargeContext extends CompanyContext, FoundPayer {
  readonly sameMyId: ChargeState | undefined
  /** The payment of that charge. */
  readonly samePayment: TransactionState | undefined
  readonly plans: FoundPlans
}

/**
 * The payment of a charge, with what an edit of the charge rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeEditContext extends PaymentContext {
  /** The charge of the `myId` that the edit gives, if there is one. */
  readonly sameMyId: ChargeState | undefined
  readonly plans: FoundPlans
}

/**
 * What names instalments that are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentQuery {
  /** The identifier that the first one gets. */
  readonly firstId: SvcPayId
  /** What they are to be called in the client system, where that was asked for. */
  readonly myIds: ReadonlyArray<MyId>
}

/**
 * What is there of instalments that are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundInstalments {
  /** The first one, once it is there: an earlier run wrote it. */
  readonly first: TransactionState | undefined
  /** Those of the `myIds` that other transactions have. */
  readonly takenMyIds: ReadonlySet<MyId>
}

/**
 * A subscription whose instalments are to be made.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentsContext extends SubscriptionContext {
  readonly instalments: FoundInstalments
}

/**
 * The card that a request means, as it is looked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface CardQuery {
  readonly svcPayId?: SvcPayId | undefined
  readonly myId?: MyId | undefined
  readonly vaultToken?: VaultToken | undefined
}

/**
 * Of the customer, who is the root of their cards: what names a card rests on it, as the card may be removed meanwhile.
 *
 * @category models
 * @since 0.1.0
 */
export interface OnCards {
  readonly customerGuard: Guard
  readonly cards: FoundCards
}

/**
 * The company's cards that a `CardQuery` may mean. `byVaultToken` has those of all customers that were loaded.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundCards {
  readonly bySvcPayId: CardState | undefined
  readonly byMyId: CardState | undefined
  readonly byVaultToken: ReadonlyArray<CardState>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionContext extends CompanyContext {
  readonly guard: Guard
  readonly subscription: SubscriptionState
  readonly customer: CustomerState
  readonly subscriptionCard: CardState | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewPaymentContext extends SubscriptionContext, OnCards {
  readonly sameMyId: TransactionState | undefined
}

/**
 * A part of the payments of a subscription, by identifier.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionPaymentsContext extends SubscriptionContext {
  readonly payments: ReadonlyArray<TransactionState>
  /** Those that the payments are paid with. */
  readonly paymentCards: ReadonlyArray<CardState>
}

/**
 * What an edit of a subscription rests on, and its open payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionEditContext extends SubscriptionPaymentsContext, OnCards {
  readonly sameMyId: SubscriptionState | undefined
  readonly plans: FoundPlans
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewSubscriptionContext extends CompanyContext, FoundPayer {
  readonly sameMyId: SubscriptionState | undefined
  readonly instalments: FoundInstalments
  readonly plans: FoundPlans
}
