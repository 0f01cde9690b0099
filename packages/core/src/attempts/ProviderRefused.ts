/**
 * A provider's refusal, kept with what it refused.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Why a bank or a Pix provider did not register a payment.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ProviderRefused = Schema.Struct({ code: Schema.String, message: Schema.String })

/**
 * @category models
 * @since 0.1.0
 */
export type ProviderRefused = typeof ProviderRefused.Type
