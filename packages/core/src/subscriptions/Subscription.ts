/**
 * A subscription, also called a contract: responses (interface section 2.1 and further fields from public use), and the
 * requests to create and edit one. The interface does not show the requests; public use and
 * `docs/interface-decisions.md` define them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described, valueOrNull } from "../values/Fields.ts"
import { ofContract, contractInputs } from "./ContractFields.ts"
import { Cents } from "../money/Cents.ts"
import { Periodicity } from "../plans/Plan.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { SubscriptionStatus } from "./SubscriptionState.ts"
import { int, Text, FreeText, wholeNumber } from "../values/Text.ts"
import { TransactionOfSubscription } from "../transactions/Transaction.ts"
import { CustomerInput } from "../customers/CustomerInput.ts"
import { paymentMethodInputs } from "../paymentMethods/CardTerms.ts"
import { atLeastOneCent, paymentInfo, paymentInvoice, wasPaidOutside } from "../transactions/PaymentRequests.ts"
import * as Struct from "effect/Struct"

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
  // Not in interface 2.1. Present if the response contains only the latest payments.
  totalTransactions: described(
    Schema.optionalKey(Schema.Int.check(Schema.isGreaterThan(0))),
    "Number of payments of the subscription; present if Transactions contains only the latest of them. " +
      "GET /transactions?subscriptionSvcPayIds=.. lists them all."
  ),
  Transactions: described(Schema.Array(TransactionOfSubscription), "The payments of the subscription.")
}).annotate({ identifier: "Subscription", description: "A subscription, also called a contract, with its payments." })

/**
 * A subscription without its payments, as an event contains it.
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

/**
 * The body of "create manual subscription" (interface section 4.1). Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateManualSubscription = Schema.Struct({
  myId: described(MyId, "Identifier of the subscription in the client system; unique per company."),
  mainPaymentMethodId: described(PaymentMethodId, "Main payment method: the one of payments that are added."),
  additionalInfo: described(Schema.optionalKey(FreeText), "Free text for internal notes."),
  Customer: described(CustomerInput, "The payer."),
  ...paymentMethodInputs,
  ...contractInputs
}).annotate({
  identifier: "CreateManualSubscription",
  description: "A subscription to be created, without payments."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateManualSubscription = typeof CreateManualSubscription.Type

/** A weekly subscription could run for more than a century. */
const maxInstalments = 9_999

/**
 * Values of the instalment with the number `installment` that differ from the others.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InstalmentInput = Schema.Struct({
  installment: described(wholeNumber(1, maxInstalments), "Number of the instalment: 1 is the first."),
  myId: described(
    Schema.optionalKey(MyId),
    "Identifier of the transaction in the client system; unique per company. Generated if omitted."
  ),
  value: described(
    Schema.optionalKey(atLeastOneCent),
    "Price, in cents, at least 1. Defaults to the price of the subscription."
  ),
  payday: described(
    Schema.optionalKey(LocalDate),
    "Due date: YYYY-MM-DD. Defaults to the date that follows from the periodicity."
  ),
  payedOutsideSvcPay: wasPaidOutside,
  additionalInfo: paymentInfo,
  InvoiceConfig: paymentInvoice
}).annotate({ identifier: "InstalmentInput", description: "Values of one instalment that differ from the others." })

/**
 * @category models
 * @since 0.1.0
 */
export type InstalmentInput = typeof InstalmentInput.Type

const eachOnce = Schema.makeFilter(
  (instalments: ReadonlyArray<InstalmentInput>) =>
    new Set(instalments.map(({ installment }) => installment)).size === instalments.length,
  { expected: "a list with each instalment once", toJsonSchema: () => [{}, true] }
)

/**
 * The body of "create subscription". Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateSubscription = Schema.Struct({
  ...CreateManualSubscription.fields,
  planMyId: described(
    Schema.optionalKey(MyId),
    "Plan, by its identifier in the client system. It provides price, quantity and periodicity if they are omitted."
  ),
  planSvcPayId: described(Schema.optionalKey(SvcPayId), "Plan, by its identifier assigned by the service."),
  value: described(
    Schema.optionalKey(atLeastOneCent),
    "Price of each instalment, in cents, at least 1; required without a plan."
  ),
  quantity: described(
    Schema.optionalKey(wholeNumber(0, maxInstalments)),
    "Number of instalments; 0 means without end. They are created in advance, without end one at a time. " +
      "Required without a plan."
  ),
  periodicity: described(
    Schema.optionalKey(Periodicity),
    "Interval between payments: a week, two weeks, a month, two, three or six months, or a year. Required without a plan."
  ),
  firstPayDayDate: described(
    LocalDate,
    "Due date of the first instalment: YYYY-MM-DD, today or later. The others follow from it."
  ),
  Transactions: described(
    Schema.optionalKey(Schema.Array(InstalmentInput).check(eachOnce)),
    "Single instalments that differ from the others."
  )
}).annotate({
  identifier: "CreateSubscription",
  description: "A subscription to be created, with instalments at regular intervals."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateSubscription = typeof CreateSubscription.Type

const editable = Struct.pick(CreateSubscription.fields, [
  "myId",
  "additionalInfo",
  "mainPaymentMethodId",
  "value",
  "planMyId",
  "planSvcPayId",
  "PaymentMethodCreditCard",
  "PaymentMethodBoleto",
  "PaymentMethodPix",
  "InvoiceConfig",
  "ExtraFields",
  "Split"
])

/**
 * The body of "edit subscription". Absent fields stay unchanged. Value, method, card and plan apply to the open
 * payments too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditSubscription = Schema.Struct({
  ...editable,
  myId: Schema.optionalKey(CreateSubscription.fields.myId).annotateKey({
    description: "Identifier of the subscription in the client system; unique per company."
  }),
  mainPaymentMethodId: Schema.optionalKey(CreateSubscription.fields.mainPaymentMethodId).annotateKey({
    description: "Main payment method, of the open payments too."
  })
}).annotate({
  identifier: "EditSubscription",
  description: "Changes of a subscription; absent fields stay unchanged."
})

/**
 * @category models
 * @since 0.1.0
 */
export type EditSubscription = typeof EditSubscription.Type
