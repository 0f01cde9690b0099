/**
 * Every load by its name.
 *
 * @since 0.1.0
 */
import type { AttemptId } from "@parcela/core/attempts/AttemptId"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { PlanState } from "@parcela/core/plans/PlanState"
import type { PlanNames } from "@parcela/core/subscriptions/SubscriptionPlan"
import type { EntityRef, MyId, SvcPayId } from "@parcela/core/values/Identifier"
import type { CompanyContext } from "./CompanyContext.ts"
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
import type { CardQuery } from "./FoundCards.ts"
import type { KeyRow } from "./IdempotencyKey.ts"
import type { InstalmentQuery, InstalmentsContext } from "./Instalments.ts"
import type { NewSubscriptionContext } from "./NewSubscriptionContext.ts"
import type { ChargeEditContext, CustomerQuery, NewChargeContext } from "./PayerContext.ts"
import type { PaymentArgs } from "./PaymentArgs.ts"
import type { PaymentContext, PaymentEditContext } from "./PaymentContext.ts"
import type { NewPaymentContext } from "./SubscriptionContext.ts"
import type { SubscriptionEditContext, SubscriptionPaymentsContext } from "./SubscriptionPayments.ts"
import type { DeliveryContext, EndpointsContext, NewReplayContext } from "./WebhookContexts.ts"

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
