/**
 * A way to pay that the account has: an item of `GET /payment-methods`. Source: public use: one client
 * reads `id` and nothing else. `name` is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PaymentMethodId } from "./PaymentMethodId.ts"
import { string } from "../values/Text.ts"

/**
 * One way to pay.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethod = Schema.Struct({
  id: PaymentMethodId,
  name: Schema.optionalKey(string(255))
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethod = typeof PaymentMethod.Type
