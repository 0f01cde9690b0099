/**
 * The body of "add a payment to a subscription", which interface section 4.1 names without showing it; its fields
 * are decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { atLeastOneCent, paymentInfo, paymentInvoice, wasPaidOutside } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { PaymentMethodCreditCardInput } from "../paymentMethods/PaymentMethodInputs.ts"
import { MyId } from "../values/Identifier.ts"
import { LocalDate } from "../time/LocalDate.ts"

/**
 * `value` in cents, at least 1; `payday` a day (interface section 4.1 names the operation).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AddPayment = Schema.Struct({
  myId: described(MyId, "Identifier that the transaction gets in the client system; unique per company."),
  value: described(
    Schema.optionalKey(atLeastOneCent),
    "Price, in cents, at least 1. The subscription's when omitted; required for a manual one."
  ),
  payday: described(
    Schema.optionalKey(LocalDate),
    "Due date: YYYY-MM-DD. The one after the last instalment that was made when omitted; required for a manual subscription."
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
