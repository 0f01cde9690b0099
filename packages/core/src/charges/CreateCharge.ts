/**
 * The body of "create a charge" (public use, `POST /charges`); its fields are decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CustomerInput } from "../customers/CustomerInput.ts"
import { contractInputs } from "../internal/contractInputs.ts"
import { paymentMethodInputs } from "../paymentMethods/PaymentMethodInputs.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { atLeastOneCent, wasPaidOutside } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { FreeText } from "../values/Text.ts"

/**
 * The whole body, read strictly. `value` in cents, at least 1.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateCharge = Schema.Struct({
  myId: described(MyId, "Identifier that the charge gets in the client system; unique per company."),
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
