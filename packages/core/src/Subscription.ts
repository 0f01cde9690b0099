/**
 * A subscription, also called a contract, as the service answers it (interface section 2.1).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardOfSubscription } from "./Card.ts"
import { Customer } from "./Customer.ts"
import { MyId, SvcPayId } from "./Identifier.ts"
import { PaymentMethodId } from "./PaymentMethodId.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethods.ts"
import { SubscriptionStatus } from "./SubscriptionStatus.ts"
import { Text } from "./Text.ts"
import { TransactionOfSubscription } from "./Transaction.ts"

const fields = {
  svcPayId: SvcPayId,
  myId: MyId,
  mainPaymentMethodId: PaymentMethodId,
  status: SubscriptionStatus,
  additionalInfo: Schema.optionalKey(Text),
  Customer,
  PaymentMethodCreditCard: Schema.optionalKey(Schema.Struct({ Card: CardOfSubscription })),
  PaymentMethodBoleto: Schema.optionalKey(PaymentMethodBoleto),
  PaymentMethodPix: Schema.optionalKey(PaymentMethodPix)
}

/**
 * A subscription with its payments.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Subscription = Schema.Struct({
  ...fields,
  // Not in interface 2.1: it says that a page holds the latest payments only, and is absent when all are there.
  totalTransactions: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description:
        "How many payments the subscription has; present when `Transactions` holds the latest of them only. " +
        "`GET /transactions?subscriptionSvcPayIds=..` lists them all"
    })
  ),
  Transactions: Schema.Array(TransactionOfSubscription)
})

/**
 * A subscription beside one of its payments: what an event carries.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionOfEvent = Schema.Struct(fields)

/**
 * @category models
 * @since 0.1.0
 */
export type Subscription = typeof Subscription.Type

/**
 * @category models
 * @since 0.1.0
 */
export type SubscriptionOfEvent = typeof SubscriptionOfEvent.Type
