/**
 * All loads by name, each with its arguments and its result.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/Attempt"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { PlanState, PlanNames } from "@parcela/core/plans/PlanDecider"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyContext, DeliveryContext, EndpointsContext, NewReplayContext, Guard } from "./LoadedCompany.ts"
import type { KeyRow } from "./IdempotencyKey.ts"
import type {
  CardQuery,
  InstalmentQuery,
  InstalmentsContext,
  NewSubscriptionContext,
  ChargeEditContext,
  CustomerQuery,
  NewChargeContext,
  PaymentArgs,
  PaymentContext,
  PaymentEditContext,
  NewPaymentContext,
  SubscriptionEditContext,
  SubscriptionPaymentsContext,
  FoundCards
} from "./LoadedPayments.ts"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { CustomerState, CustomerStanding } from "@parcela/core/customers/CustomerState"

/**
 * Maps the name of a load to its arguments and its result. `found` is undefined if the entity does not exist.
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
      /** The new `myId` of the subscription. */
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
      readonly attempt?: AttemptId | undefined
      readonly myId?: MyId | undefined
      readonly card?: CardQuery | undefined
    }
    readonly found: PaymentEditContext
  }
  readonly chargeEdit: {
    readonly args: {
      readonly companyId: CompanyId
      readonly charge: EntityRef
      readonly attempt?: AttemptId | undefined
      readonly myId?: MyId | undefined
      readonly plan?: PlanNames | undefined
    }
    readonly found: ChargeEditContext
  }
  readonly subscriptionPayments: {
    readonly args: {
      readonly companyId: CompanyId
      readonly subscription: EntityRef
      /** Selects at most `limit` open payments with an identifier above `after`. */
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
 * The data that a new entity needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewEntityContext<State> extends CompanyContext {
  /** The entity itself, if an earlier run wrote it and the reply to its COMMIT was lost. */
  readonly written: State | undefined
  readonly sameMyId: State | undefined
}

/**
 * An entity that is an aggregate root.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityContext<State> extends CompanyContext {
  readonly guard: Guard
  readonly entity: State
  /** The entity that already has the new `myId`. */
  readonly sameMyId: State | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface NewCustomerContext extends NewEntityContext<CustomerState> {
  readonly sameDocument: CustomerState | undefined
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CustomerContext extends EntityContext<CustomerState> {
  /** The customer that already has the new document. */
  readonly sameDocument: CustomerState | undefined
  readonly standing: CustomerStanding
}

/**
 * The data that a new card needs. The customer is the aggregate root of its cards.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewCardContext extends CompanyContext {
  readonly guard: Guard
  readonly customer: CustomerState
  readonly cards: FoundCards
  /** The customer's backup card, or empty. */
  readonly backups: ReadonlyArray<CardState>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CardContext extends CompanyContext {
  /** The guard of the customer. */
  readonly guard: Guard
  readonly entity: CardState
  readonly customer: CustomerState
  /** True if a live subscription, a live charge or an open payment uses the card. */
  readonly isInUse: boolean
}

/**
 * The arguments of a load for a new entity: its new identifier, and its `myId` if it has one.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewEntityArgs {
  readonly companyId: CompanyId
  readonly id: SvcPayId
  readonly myId?: MyId | undefined
}

/**
 * The reference of an entity, with its new `myId` if that changes.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityArgs {
  readonly companyId: CompanyId
  readonly ref: EntityRef
  readonly myId?: MyId | undefined
}

/**
 * The new document of a customer, if the document changes.
 *
 * @category models
 * @since 0.1.0
 */
export interface WithDocument {
  readonly document?: string | undefined
}
