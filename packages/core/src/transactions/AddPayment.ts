/**
 * The body of "add a payment to a subscription", which interface section 4.1 names without showing it; its fields
 * are decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { PaymentMethodCreditCardInput } from "../paymentMethods/PaymentMethodInputs.ts"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { MyId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { Cents } from "../money/Cents.ts"
import { FreeText } from "../values/Text.ts"

/**
 * `value` in cents, at least 1; `payday` a day (interface section 4.1 names the operation).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AddPayment = Schema.Struct({
  myId: described(MyId, "Identifier that the transaction gets in the client system; unique per company."),
  value: described(
    Cents.check(Schema.isGreaterThan(0, { expected: "at least one cent" })),
    "Price, in cents, at least 1."
  ),
  payday: described(LocalDate, "Due date: YYYY-MM-DD."),
  payedOutsideSvcPay: described(
    Schema.optionalKey(Schema.Boolean),
    "Whether it was paid outside the service, for example in cash or by transfer."
  ),
  additionalInfo: described(
    Schema.optionalKey(FreeText),
    "Additional text about the transaction; it is printed on the boleto."
  ),
  PaymentMethodCreditCard: described(
    Schema.optionalKey(PaymentMethodCreditCardInput),
    "The card of this payment and of later ones."
  ),
  InvoiceConfig: described(Schema.optionalKey(InvoiceConfig), "When the tax invoice of this payment is made.")
}).annotate({ identifier: "AddPayment", description: "A payment to be added to a subscription." })

/**
 * @category models
 * @since 0.1.0
 */
export type AddPayment = typeof AddPayment.Type
