/**
 * The body of "edit a transaction", which the interface names only by its scope; its fields are those that public clients
 * send (public interfaces of this family, `PUT /transactions/{id}/{typeId}`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodCreditCardInput } from "../paymentMethods/PaymentMethodInputs.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { described } from "../values/Described.ts"
import { MyId } from "../values/Identifier.ts"
import { FreeText } from "../values/Text.ts"

/**
 * What is absent stays as it is.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditPayment = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier in the client system; unique per company."),
  value: described(
    Schema.optionalKey(Cents.check(Schema.isGreaterThan(0, { expected: "at least one cent" }))),
    "Price, in cents, at least 1."
  ),
  payday: described(Schema.optionalKey(LocalDate), "Due date: YYYY-MM-DD."),
  paydayDate: described(
    Schema.optionalKey(LocalDate),
    "Today, YYYY-MM-DD: the card is tried now. With payedOutsideSvcPay, the day it was paid."
  ),
  payedOutsideSvcPay: described(
    Schema.optionalKey(Schema.Boolean),
    "True: it was paid outside the service, for example in cash or by transfer."
  ),
  additionalInfo: described(
    Schema.optionalKey(FreeText),
    "Additional text about the transaction; it is printed on the boleto."
  ),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "The card of this payment, and how it is charged."
  ),
  InvoiceConfig: described(Schema.optionalKey(InvoiceConfig), "When the tax invoice of this payment is made.")
}).annotate({ identifier: "EditPayment", description: "What is changed of a transaction." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditPayment = typeof EditPayment.Type
