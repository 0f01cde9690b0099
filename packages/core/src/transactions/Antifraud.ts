/**
 * What a fraud check was given and what it returned. Source: public use (Transaction and
 * PaymentMethodCreditCard); that texts have at most 255 characters is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { string } from "../values/Text.ts"

const asked = {
  ip: Schema.optionalKey(string(255)),
  sessionId: Schema.optionalKey(string(255))
}

/**
 * What the check is given: the buyer's address and the session of the shop.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AntifraudInput = Schema.Struct(asked)

/**
 * @category models
 * @since 0.1.0
 */
export type AntifraudInput = typeof AntifraudInput.Type

/**
 * The same with the outcome: whether it was sent, and whether it was approved.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Antifraud = Schema.Struct({
  ...asked,
  sent: Schema.optionalKey(Schema.Boolean),
  approved: Schema.optionalKey(Schema.Boolean)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Antifraud = typeof Antifraud.Type
