/**
 * Who else gets a part of a payment. Source: public use (one public client spells `galaxyPayId`: its
 * slip). Limits are inferred from the interface's other numbers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PercentOrFixed } from "./Discount.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { int } from "../values/Text.ts"

/**
 * A share of each payment. `value` is percent times 100 (`percent`) or cents (`fixed`), `int 11`; without
 * `paymentMethod` it holds for every payment method (inferred).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Split = Schema.Struct({
  type: PercentOrFixed,
  value: int(11),
  paymentMethod: Schema.optionalKey(PaymentMethodId),
  svcPayId: Schema.optionalKey(SvcPayId),
  companySvcPayId: Schema.optionalKey(SvcPayId),
  billSvcPayId: Schema.optionalKey(SvcPayId),
  groupSvcPayId: Schema.optionalKey(SvcPayId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Split = typeof Split.Type
