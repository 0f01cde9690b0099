/**
 * What a fraud check was given and what it returned. Source: public use (Transaction and
 * PaymentMethodCreditCard); that texts have at most 255 characters is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { string } from "../values/Text.ts"

const asked = {
  ip: described(Schema.optionalKey(string(255)), "Address of the buyer."),
  sessionId: described(Schema.optionalKey(string(255)), "Session of the shop.")
}

/**
 * What the check is given: the buyer's address and the session of the shop.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AntifraudInput = Schema.Struct(asked).annotate({
  identifier: "AntifraudInput",
  description: "Input of a fraud check."
})

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
  sent: described(Schema.optionalKey(Schema.Boolean), "True if a check was requested."),
  approved: described(Schema.optionalKey(Schema.Boolean), "True if the check approved.")
}).annotate({ identifier: "Antifraud", description: "Input and result of a fraud check." })

/**
 * @category models
 * @since 0.1.0
 */
export type Antifraud = typeof Antifraud.Type
