/**
 * The body of "edit a transaction", which the interface names only by its scope; its fields are those that public clients
 * send (public interfaces of this family, `PUT /transactions/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PaymentMethodCreditCardInput } from "../paymentMethods/PaymentMethodInputs.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { atLeastOneCent, isPaidOutside, paymentInfo, paymentInvoice } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { MyId } from "../values/Identifier.ts"

/**
 * What is absent stays as it is.
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
    "Today, YYYY-MM-DD: the card is tried now. With payedOutsideSvcPay, the day it was paid."
  ),
  payedOutsideSvcPay: isPaidOutside,
  additionalInfo: paymentInfo,
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "The card of this payment, and how it is charged."
  ),
  InvoiceConfig: paymentInvoice
}).annotate({ identifier: "EditPayment", description: "Changes of a transaction." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditPayment = typeof EditPayment.Type
