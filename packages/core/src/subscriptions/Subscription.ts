/**
 * A subscription, also called a contract, as the service returns it (interface section 2.1, and what public use has beside it).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described, valueOrNull } from "../values/Described.ts"
import { ofContract } from "../internal/contractFields.ts"
import { Cents } from "../money/Cents.ts"
import { Periodicity } from "../plans/Periodicity.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { SubscriptionStatus } from "./SubscriptionStatus.ts"
import { int, Text } from "../values/Text.ts"
import { TransactionOfSubscription } from "../transactions/Transaction.ts"

const fields = {
  svcPayId: described(SvcPayId, "Identifier of the subscription, assigned by the service."),
  myId: described(MyId, "Identifier of the subscription in the client system."),
  mainPaymentMethodId: described(PaymentMethodId, "Main payment method: the one of payments that are added."),
  status: described(SubscriptionStatus, "Status of the subscription."),
  additionalInfo: described(Schema.optionalKey(Text), "Free text for internal notes."),
  value: valueOrNull(Cents, "Price of a payment, in cents; null for a manual subscription."),
  quantity: valueOrNull(int(11), "Number of payments; 0 means without end, null a manual subscription."),
  periodicity: valueOrNull(Periodicity, "Interval between payments; null for a manual subscription."),
  firstPayDayDate: valueOrNull(LocalDate, "Due date of the first payment; null for a manual subscription."),
  ...ofContract
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
  totalTransactions: described(
    Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
    "Number of payments of the subscription; present if Transactions contains only the latest of them. " +
      "GET /transactions?subscriptionSvcPayIds=.. lists them all."
  ),
  Transactions: described(Schema.Array(TransactionOfSubscription), "The payments of the subscription.")
}).annotate({ identifier: "Subscription", description: "A subscription, also called a contract, with its payments." })

/**
 * A subscription beside one of its payments: what an event carries.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SubscriptionOfEvent = Schema.Struct(fields).annotate({
  identifier: "SubscriptionOfEvent",
  description: "The subscription that a transaction belongs to, without its payments."
})

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
