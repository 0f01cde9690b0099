/**
 * Port: runs a unit of load, decide and write. What it writes is committed together or not at all, and no fiber ever
 * stands inside a transaction.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CardState, VaultToken } from "@parcela/core/cards/CardState"
import type { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId, CompanyState } from "@parcela/core/companies/CompanyState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { PlanState } from "@parcela/core/plans/PlanState"
import type { FoundPlans, PlanNames } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { WriteSet } from "../commands/WriteSet.ts"
import type { Follow } from "./Follow.ts"
import type { PaymentArgs } from "./PaymentArgs.ts"
import type { SubscriptionEditContext, SubscriptionPaymentsContext } from "./SubscriptionPayments.ts"
import type { FoundInstalments, InstalmentQuery, InstalmentsContext } from "./Instalments.ts"
import type { ChargeEditContext, CustomerQuery, FoundPayer, NewChargeContext } from "./PayerContext.ts"
import type { PaymentOwner } from "./PaymentOwner.ts"
import type {
  CardContext,
  CustomerContext,
  EntityArgs,
  EntityContext,
  NewCardContext,
  NewCustomerContext,
  NewEntityArgs,
  NewEntityContext,
  WithDocument
} from "./EntityContext.ts"
import type { StoreError } from "./StoreError.ts"
import type { DeliveryContext, EndpointsContext, NewReplayContext } from "./WebhookContexts.ts"

/**
 * The entity whose version guards what is written below it. A write set whose guard has moved is not written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guard {
  readonly table: "charges" | "companies" | "customers" | "plans" | "subscriptions"
  readonly id: CompanyId | SvcPayId
  readonly version: number
}

/**
 * An `Idempotency-Key` of a company with the fingerprint of the command that it came with.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyName {
  readonly companyId: CompanyId
  readonly key: string
  readonly fingerprint: string
}

/**
 * A response as it went out, without secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * What is stored under a key: what its command wrote, and the response once it was known. A fingerprint that was erased
 * is empty and stands for every command.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyRow {
  readonly fingerprint: string
  readonly subject: string
  readonly response: StoredResponse | undefined
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
 * What every load brings: the company, its clock, how often it was restored, and its endpoints, which deliveries go to.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyContext {
  readonly company: CompanyState
  readonly clock: ClockOffset
  /** Rises when the company is restored or reset: nothing that rests on an earlier number is written. */
  readonly restores: number
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpointState, "id" | "events">>
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
  /** The last attempts of the transaction, the one under way, and the one that was asked for, first begun first. */
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
 * @category models
 * @since 0.1.0
 */
export interface NewPaymentContext extends SubscriptionContext, OnCards {
  readonly sameMyId: TransactionState | undefined
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
 * Every load by its name: what it is asked with, and what it brings. `found` is undefined when its subject is not there.
 *
 * @category models
 * @since 0.1.0
 */
export interface Loads {
  readonly company: {
    readonly args: { readonly companyId: CompanyId }
    readonly found: CompanyContext
  }
  readonly endpoints: {
    readonly args: { readonly companyId: CompanyId; readonly endpointId?: number | undefined }
    readonly found: EndpointsContext
  }
  readonly delivery: {
    readonly args: { readonly companyId: CompanyId; readonly webhookId: number }
    readonly found: DeliveryContext
  }
  readonly newReplay: {
    readonly args: { readonly companyId: CompanyId; readonly replayId: number }
    readonly found: NewReplayContext
  }
  readonly newCard: {
    readonly args: { readonly companyId: CompanyId; readonly ref: EntityRef; readonly card?: CardQuery | undefined }
    readonly found: NewCardContext
  }
  readonly card: {
    readonly args: { readonly companyId: CompanyId; readonly ref: EntityRef }
    readonly found: CardContext
  }
  readonly newCustomer: { readonly args: NewEntityArgs & WithDocument; readonly found: NewCustomerContext }
  readonly customer: { readonly args: EntityArgs & WithDocument; readonly found: CustomerContext }
  readonly newPlan: { readonly args: NewEntityArgs; readonly found: NewEntityContext<PlanState> }
  readonly plan: { readonly args: EntityArgs; readonly found: EntityContext<PlanState> }
  readonly newSubscription: {
    readonly args: {
      readonly companyId: CompanyId
      readonly myId: MyId
      readonly customer: CustomerQuery
      readonly card?: CardQuery | undefined
      readonly instalments?: InstalmentQuery | undefined
      readonly plan?: PlanNames | undefined
    }
    readonly found: NewSubscriptionContext
  }
  readonly subscriptionEdit: {
    readonly args: Args<"subscriptionPayments"> & {
      /** That it is to get. */
      readonly myId?: MyId | undefined
      readonly card?: CardQuery | undefined
      readonly plan?: PlanNames | undefined
    }
    readonly found: SubscriptionEditContext
  }
  readonly instalments: {
    readonly args: {
      readonly companyId: CompanyId
      readonly subscriptionId: SvcPayId
      readonly instalments: InstalmentQuery
    }
    readonly found: InstalmentsContext
  }
  readonly newCharge: {
    readonly args: {
      readonly companyId: CompanyId
      readonly myId: MyId
      readonly customer: CustomerQuery
      readonly card?: CardQuery | undefined
      readonly plan?: PlanNames | undefined
    }
    readonly found: NewChargeContext
  }
  readonly newPayment: {
    readonly args: {
      readonly companyId: CompanyId
      readonly subscription: EntityRef
      readonly myId: MyId
      readonly card?: CardQuery | undefined
    }
    readonly found: NewPaymentContext
  }
  readonly payment: { readonly args: PaymentArgs; readonly found: PaymentContext }
  readonly paymentEdit: {
    readonly args: {
      readonly companyId: CompanyId
      readonly transaction: EntityRef
      readonly myId?: MyId | undefined
      readonly card?: CardQuery | undefined
    }
    readonly found: PaymentEditContext
  }
  readonly chargeEdit: {
    readonly args: {
      readonly companyId: CompanyId
      readonly charge: EntityRef
      readonly myId?: MyId | undefined
      readonly plan?: PlanNames | undefined
    }
    readonly found: ChargeEditContext
  }
  readonly subscriptionPayments: {
    readonly args: {
      readonly companyId: CompanyId
      readonly subscription: EntityRef
      /** Payments that are not over, above this identifier, at most `limit` of them. */
      readonly after: number
      readonly limit: number
    }
    readonly found: SubscriptionPaymentsContext
  }
}

/**
 * @category models
 * @since 0.1.0
 */
export type LoadName = keyof Loads

/**
 * @category models
 * @since 0.1.0
 */
export type Args<N extends LoadName> = Loads[N]["args"]

/**
 * @category models
 * @since 0.1.0
 */
export type Found<N extends LoadName> = Loads[N]["found"]

/**
 * @category models
 * @since 0.1.0
 */
export interface Loaded<N extends LoadName> {
  readonly key: KeyRow | undefined
  readonly found: Found<N> | undefined
}

/**
 * What a decision comes to: its value, and what is to be written; nothing when that is undefined.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outcome<A> {
  readonly value: A
  readonly writes: WriteSet | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Unit<N extends LoadName, A, R> {
  readonly load: N
  readonly args: Args<N>
  /** Loaded beside the rest, as `Loaded.key`. */
  readonly key?: KeyName | undefined
  /**
   * What an earlier unit left, tried first and without a load. When its guard has moved, or nothing comes of it that is
   * to be written, it is loaded after all.
   */
  readonly known?: Found<N> | undefined
  /** What becomes of `known` by what other units wrote since; for a store that knows that. */
  readonly follow?: Follow<N> | undefined
  /**
   * Pure: it may be run several times. A failure leaves everything as it was. It recognizes what it wrote itself, by
   * identifiers that were taken before: a commit whose response was lost is run again.
   */
  readonly decide: (loaded: Loaded<N>) => Result.Result<Outcome<A>, R>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class CommandStore extends Context.Service<
  CommandStore,
  {
    /**
     * Loads, decides and writes. A guard that moved, a row in the way, a deadlock and a commit whose response was lost
     * run the unit again; after five reruns it is `Unavailable`. The same row in the way twice is a fault of ours.
     */
    readonly run: <N extends LoadName, A, R>(unit: Unit<N, A, R>) => Effect.Effect<Outcome<A>, R | StoreError>
  }
>()("@parcela/engine/ports/CommandStore") {}
