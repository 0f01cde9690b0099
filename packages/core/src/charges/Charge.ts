/**
 * A one-off charge in responses, and the requests to create and edit one (scopes `charges.read` and `charges.write`).
 * Source: public use for the fields, the required fields and the statuses. The limits are those of the same fields in
 * interface section 2; the rest is decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ofContract, contractInputs } from "../subscriptions/ContractFields.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { Transaction } from "../transactions/Transaction.ts"
import { described } from "../values/Fields.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text, FreeText } from "../values/Text.ts"
import { ChargeStatus } from "./ChargeState.ts"
import { CustomerInput } from "../customers/CustomerInput.ts"
import { paymentMethodInputs } from "../paymentMethods/CardTerms.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { atLeastOneCent, isPaidOutside, wasPaidOutside } from "../transactions/PaymentRequests.ts"

const fields = {
  svcPayId: described(SvcPayId, "Identifier of the charge, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the charge in the client system."),
  mainPaymentMethodId: described(PaymentMethodId, "Payment method."),
  additionalInfo: described(
    Schema.optionalKey(Text),
    "Text about the charge and its payment; it is printed on the boleto."
  ),
  value: described(Cents, "Price, in cents."),
  status: described(ChargeStatus, "Status of the charge. Its transactions show if it is paid."),
  payedOutsideSvcPay: described(
    Schema.optionalKey(Schema.Boolean),
    "True if it is paid outside the service, for example in cash or by transfer."
  ),
  ...ofContract
}

/**
 * A charge with its payments. `value` is in cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Charge = Schema.Struct({
  ...fields,
  Transactions: described(Schema.Array(Transaction), "The payments of the charge.")
}).annotate({ identifier: "Charge", description: "A one-off charge, with its payments." })

/**
 * @category models
 * @since 0.1.0
 */
export type Charge = typeof Charge.Type

/**
 * A charge without its payments, as an event or a listed transaction contains it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ChargeOfTransaction = Schema.Struct(fields).annotate({
  identifier: "ChargeOfTransaction",
  description: "The charge that a transaction belongs to, without its payments."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ChargeOfTransaction = typeof ChargeOfTransaction.Type

/**
 * The body of "create a charge" (`POST /charges`). Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateCharge = Schema.Struct({
  myId: described(MyId, "Identifier of the charge in the client system; unique per company."),
  value: described(atLeastOneCent, "Price, in cents, at least 1."),
  payday: described(LocalDate, "Due date: YYYY-MM-DD. A card is charged at once when it is today or past."),
  mainPaymentMethodId: described(PaymentMethodId, "Payment method."),
  additionalInfo: described(
    Schema.optionalKey(FreeText),
    "Text about the charge and its payment; it is printed on the boleto."
  ),
  payedOutsideSvcPay: wasPaidOutside,
  planMyId: described(Schema.optionalKey(MyId), "The plan that it belongs to, by identifier of the client system."),
  planSvcPayId: described(Schema.optionalKey(SvcPayId), "The plan that it belongs to, by identifier of the service."),
  Customer: described(CustomerInput, "The payer."),
  ...paymentMethodInputs,
  ...contractInputs
}).annotate({ identifier: "CreateCharge", description: "A charge to be created, with its payment." })

/**
 * @category models
 * @since 0.1.0
 */
export type CreateCharge = typeof CreateCharge.Type

/**
 * The body of "edit a charge" (`PUT /charges/{id}/{typeId}`). Absent fields stay unchanged. Value, payday and "paid
 * outside" apply to its payment too.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditCharge = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier in the client system; unique per company."),
  value: described(Schema.optionalKey(atLeastOneCent), "Price, in cents, at least 1."),
  payday: described(Schema.optionalKey(LocalDate), "Due date: YYYY-MM-DD."),
  mainPaymentMethodId: described(
    Schema.optionalKey(PaymentMethodId),
    "Payment method, until it is paid. A registered boleto or Pix is cancelled first; creditcard needs a charge with a card."
  ),
  payedOutsideSvcPay: isPaidOutside,
  additionalInfo: described(
    Schema.optionalKey(FreeText),
    "Text about the charge and its payment; it is printed on the boleto."
  ),
  planMyId: described(Schema.optionalKey(MyId), "The plan that it belongs to, by identifier of the client system."),
  planSvcPayId: described(Schema.optionalKey(SvcPayId), "The plan that it belongs to, by identifier of the service."),
  ...contractInputs
}).annotate({ identifier: "EditCharge", description: "Changes of a charge." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditCharge = typeof EditCharge.Type
