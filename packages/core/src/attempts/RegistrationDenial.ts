/**
 * Why a provider did not register a payment, kept with the payment.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The code and the words with which a bank or a Pix provider denied a registration for good.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RegistrationDenial = Schema.Struct({ code: Schema.String, message: Schema.String })

/**
 * @category models
 * @since 0.1.0
 */
export type RegistrationDenial = typeof RegistrationDenial.Type
