/**
 * Recipients of a share of a payment. Source: public use. One public client spells `galaxyPayId`, which is an error.
 * The limits are inferred from the interface's other numbers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PercentOrFixed, PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { described } from "../values/Fields.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { int } from "../values/Text.ts"

/**
 * A share of each payment. `value` is in hundredths of a percent (`percent`) or in cents (`fixed`), `int 11`. Without
 * `paymentMethod` the share applies to every payment method (inferred).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Split = Schema.Struct({
  type: described(PercentOrFixed, "Unit of value: a percentage of the price, or an amount."),
  value: described(int(11), "Hundredths of a percent, or cents, depending on type."),
  paymentMethod: described(
    Schema.optionalKey(PaymentMethodId),
    "Payment method of the payments that are split. Defaults to all."
  ),
  svcPayId: described(Schema.optionalKey(SvcPayId), "Identifier of the share, assigned by the service."),
  companySvcPayId: described(Schema.optionalKey(SvcPayId), "The company that gets the share."),
  billSvcPayId: described(Schema.optionalKey(SvcPayId), "The bill that it belongs to."),
  groupSvcPayId: described(Schema.optionalKey(SvcPayId), "The group that it belongs to.")
}).annotate({ identifier: "Split", description: "A part of each payment that goes to another recipient." })

/**
 * @category models
 * @since 0.1.0
 */
export type Split = typeof Split.Type
