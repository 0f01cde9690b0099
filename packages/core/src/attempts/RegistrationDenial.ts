/**
 * The reason why a provider did not register a payment. It is stored with the payment.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Code and message of a final denial by a boleto bank or a Pix provider.
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
