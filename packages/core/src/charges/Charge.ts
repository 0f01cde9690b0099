/**
 * A one-off charge (scopes `charges.read` and `charges.write`). Source: public use (which
 * fields it has, which a request must have, which statuses); limits are inferred from the same fields of interface section 2.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ofContract } from "../internal/contractFields.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { Transaction } from "../transactions/Transaction.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Text } from "../values/Text.ts"
import { ChargeStatus } from "./ChargeStatus.ts"

const fields = {
  svcPayId: described(SvcPayId, "Identifier of the charge, assigned by the service."),
  myId: described(Schema.optionalKey(MyId), "Identifier of the charge in the client system."),
  mainPaymentMethodId: described(PaymentMethodId, "Payment method."),
  additionalInfo: described(
    Schema.optionalKey(Text),
    "Text about the charge and its payment; it is printed on the boleto."
  ),
  value: described(Cents, "Price, in cents."),
  status: described(ChargeStatus, "Status of the charge; whether it is paid stands in its transactions."),
  payedOutsideSvcPay: described(
    Schema.optionalKey(Schema.Boolean),
    "True if it is paid outside the service, for example in cash or by transfer."
  ),
  ...ofContract
}

/**
 * A charge with its payments. `value` is cents.
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
 * A charge beside one of its payments: what an event or a transaction of a list holds.
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
