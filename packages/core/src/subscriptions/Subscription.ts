/**
 * A subscription, also called a contract, as the service returns it (interface section 2.1).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { CardOfSubscription } from "../cards/Card.ts"
import { Customer } from "../customers/Customer.ts"
import { Cents } from "../money/Cents.ts"
import { Periodicity } from "../plans/Periodicity.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "../paymentMethods/PaymentMethods.ts"
import { SubscriptionStatus } from "./SubscriptionStatus.ts"
import { int, Text } from "../values/Text.ts"
import { TransactionOfSubscription } from "../transactions/Transaction.ts"

const fields = {
  svcPayId: described(SvcPayId, "Identifier of the subscription, assigned by the service."),
  myId: described(MyId, "Identifier of the subscription in the client system."),
  mainPaymentMethodId: described(PaymentMethodId, "Main payment method: the one of payments that are added."),
  status: described(SubscriptionStatus, "Status of the subscription."),
  additionalInfo: described(Schema.optionalKey(Text), "Free text for internal notes."),
  // Of interface 2.1 a subscription has none of these four: a manual one has none of them either.
  value: described(Schema.optionalKey(Cents), "Price of each instalment, in cents."),
  quantity: described(Schema.optionalKey(int(11)), "How many instalments there are; 0 is without end."),
  periodicity: described(Schema.optionalKey(Periodicity), "How often it is paid."),
  firstPayDayDate: described(Schema.optionalKey(LocalDate), "Due date of the first instalment: YYYY-MM-DD."),
  Customer: described(Customer, "Who pays."),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(
      Schema.Struct({ Card: described(CardOfSubscription, "The card that is charged.") }).annotate({
        identifier: "PaymentMethodCreditCard",
        description: "How card payments are charged."
      })
    ),
    "How card payments are charged."
  ),
  PaymentMethodBoleto: described(Schema.optionalKey(PaymentMethodBoleto), "How boletos are made out."),
  PaymentMethodPix: described(Schema.optionalKey(PaymentMethodPix), "How Pix codes are made out.")
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
    "How many payments the subscription has; present when Transactions holds the latest of them only. " +
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
