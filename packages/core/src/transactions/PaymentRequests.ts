/**
 * Request bodies of payments: add to a subscription, edit, reverse; and the payment fields that charges and plans share.
 * The interface names the operations without showing bodies. The fields of "add" are decided in
 * `docs/interface-decisions.md`; those of "edit" and "reverse" are the fields that public clients send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { PaymentMethodCreditCardInput } from "../paymentMethods/CardTerms.ts"
import { MyId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { InvoiceConfig } from "../invoices/Invoice.ts"
import { amountInCents, maximum } from "../money/Cents.ts"
import { FreeText } from "../values/Text.ts"

/**
 * An amount of at least one cent.
 *
 * @category schemas
 * @since 0.1.0
 */
export const atLeastOneCent = Schema.Number.check(
  Schema.isInt({ expected: amountInCents }).abort(),
  Schema.isGreaterThan(0, { expected: "at least one cent" }).abort(),
  Schema.isLessThanOrEqualTo(maximum, { expected: amountInCents })
).pipe(Schema.brand("Cents"))

/**
 * Field of a new payment.
 *
 * @category fields
 * @since 0.1.0
 */
export const wasPaidOutside = described(
  Schema.optionalKey(Schema.Boolean),
  "True if it was paid outside the service, for example in cash or by transfer."
)

/**
 * @category fields
 * @since 0.1.0
 */
export const paymentInfo = described(
  Schema.optionalKey(FreeText),
  "Additional text about the transaction; it is printed on the boleto."
)

/**
 * @category fields
 * @since 0.1.0
 */
export const paymentInvoice = described(
  Schema.optionalKey(InvoiceConfig),
  "Time at which the tax invoice of this payment is issued."
)

/**
 * The body of "add a payment to a subscription" (interface section 4.1).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AddPayment = Schema.Struct({
  myId: described(MyId, "Identifier of the transaction in the client system; unique per company."),
  value: described(
    Schema.optionalKey(atLeastOneCent),
    "Price, in cents, at least 1. Defaults to the price of the subscription; required for a manual subscription."
  ),
  payday: described(
    Schema.optionalKey(LocalDate),
    "Due date: YYYY-MM-DD. Defaults to the date after the last created instalment; required for a manual subscription."
  ),
  payedOutsideSvcPay: wasPaidOutside,
  additionalInfo: paymentInfo,
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "The card of this payment and of later ones."
  ),
  InvoiceConfig: paymentInvoice
}).annotate({ identifier: "AddPayment", description: "A payment to be added to a subscription." })

/**
 * @category models
 * @since 0.1.0
 */
export type AddPayment = typeof AddPayment.Type

/**
 * Field of an existing payment.
 *
 * @category fields
 * @since 0.1.0
 */
export const isPaidOutside = described(
  Schema.optionalKey(Schema.Boolean),
  "True: it was paid outside the service, for example in cash or by transfer."
)

/**
 * The body of "edit a transaction". Absent fields stay unchanged.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditPayment = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier in the client system; unique per company."),
  value: described(Schema.optionalKey(atLeastOneCent), "Price, in cents, at least 1."),
  payday: described(Schema.optionalKey(LocalDate), "Due date: YYYY-MM-DD."),
  paydayDate: described(
    Schema.optionalKey(LocalDate),
    "Today, YYYY-MM-DD: the card is charged now. With payedOutsideSvcPay, the day of the payment."
  ),
  payedOutsideSvcPay: isPaidOutside,
  additionalInfo: paymentInfo,
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "The card of this payment, with its settings."
  ),
  InvoiceConfig: paymentInvoice
}).annotate({ identifier: "EditPayment", description: "Changes of a transaction." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditPayment = typeof EditPayment.Type

/**
 * The body of "reverse a transaction". Without `valueToReverse`, the whole remaining amount is reversed.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReverseTransaction = Schema.Struct({
  valueToReverse: described(
    Schema.optionalKey(atLeastOneCent),
    "Amount to return, in cents, at least 1. Defaults to the remaining amount."
  )
}).annotate({ identifier: "ReverseTransaction", description: "Amount of a transaction to return." })

/**
 * @category models
 * @since 0.1.0
 */
export type ReverseTransaction = typeof ReverseTransaction.Type
