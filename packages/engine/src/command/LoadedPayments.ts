/**
 * The loaded data of payments, charges and subscriptions, and the queries that name the entities to load.
 *
 * @since 0.1.0
 */
import type { Attempt, AttemptId } from "@parcela/core/attempts/Attempt"
import type { CardState, VaultToken } from "@parcela/core/cards/CardDecider"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { PaymentOwner } from "../ports/PaymentOwner.ts"
import type { CompanyContext, Guard } from "./LoadedCompany.ts"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { LoadedPlans } from "@parcela/core/plans/PlanDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"

/**
 * A transaction with the data that its decisions, deliveries and responses need.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentContext extends CompanyContext {
  /** The guard of the owner. */
  readonly guard: Guard
  readonly owner: PaymentOwner
  readonly customer: CustomerState
  readonly transaction: TransactionState
  /** The card of the transaction. */
  readonly card: CardState | undefined
  /** The open attempt and the requested attempt of the transaction, in the order of their start. */
  readonly attempts: ReadonlyArray<Attempt>
}

/**
 * The data that an edit of a payment needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface PaymentEditContext extends PaymentContext, OnCards {
  /** The payment that has the `myId` of the edit, if there is one. */
  readonly sameMyId: TransactionState | undefined
}

/**
 * A reference to a transaction: by its own id, by one of its attempts, or by its charge.
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
  /** An attempt to load in addition to the open one. Default: the attempt in `transaction`. */
  readonly attempt?: AttemptId | undefined
}

/**
 * The customer that a request names.
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
 * The customers and cards that match a request.
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
  /** The versions of the customers above. */
  readonly versions: ReadonlyMap<SvcPayId, number>
  readonly cards: FoundCards
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewChargeContext extends CompanyContext, FoundPayer {
  readonly sameMyId: ChargeState | undefined
  /** The payment of `sameMyId`. */
  readonly samePayment: TransactionState | undefined
  readonly plans: LoadedPlans
}

/**
 * The payment of a charge, with the data that an edit of the charge needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChargeEditContext extends PaymentContext {
  /** The charge that has the `myId` of the edit, if there is one. */
  readonly sameMyId: ChargeState | undefined
  readonly plans: LoadedPlans
}

/**
 * The identifiers of new instalments.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentQuery {
  /** The identifier of the first instalment. */
  readonly firstId: SvcPayId
  /** The requested `myId` of each instalment, or empty. */
  readonly myIds: ReadonlyArray<MyId>
}

/**
 * The existing transactions that match an {@link InstalmentQuery}.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundInstalments {
  /** The first instalment, if an earlier run already wrote it. */
  readonly first: TransactionState | undefined
  /** The `myIds` that other transactions already have. */
  readonly takenMyIds: ReadonlySet<MyId>
}

/**
 * A subscription whose instalments are created.
 *
 * @category models
 * @since 0.1.0
 */
export interface InstalmentsContext extends SubscriptionContext {
  readonly instalments: FoundInstalments
}

/**
 * The search terms of the card that a request names.
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
 * Cards with the guard of their customer. The guard is necessary because a card may be removed concurrently.
 *
 * @category models
 * @since 0.1.0
 */
export interface OnCards {
  readonly customerGuard: Guard
  readonly cards: FoundCards
}

/**
 * The company's cards that match a `CardQuery`. `byVaultToken` contains the cards of all loaded customers.
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
 * A page of the payments of a subscription, ordered by identifier.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionPaymentsContext extends SubscriptionContext {
  readonly payments: ReadonlyArray<TransactionState>
  /** The cards of the payments. */
  readonly paymentCards: ReadonlyArray<CardState>
}

/**
 * The data that an edit of a subscription needs, with the subscription's open payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface SubscriptionEditContext extends SubscriptionPaymentsContext, OnCards {
  readonly sameMyId: SubscriptionState | undefined
  readonly plans: LoadedPlans
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewSubscriptionContext extends CompanyContext, FoundPayer {
  readonly sameMyId: SubscriptionState | undefined
  readonly instalments: FoundInstalments
  readonly plans: LoadedPlans
}
