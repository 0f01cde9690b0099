/**
 * The payment methods of a subscription or charge with every field that public deployments show, beyond interface
 * sections 2.8 to 2.10. Source: public use; what the interface does not limit is limited like its
 * neighbours (inferred).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardTerms } from "./CardTerms.ts"
import { FullCard } from "../cards/FullCard.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethods.ts"

/**
 * A card, or a link to enter one. `preAuthorize` asks for an authorization without a capture.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPaymentMethodCreditCard = Schema.Struct({
  Card: Schema.optionalKey(FullCard),
  ...CardTerms.fields
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullPaymentMethodCreditCard = typeof FullPaymentMethodCreditCard.Type

/**
 * The node of boletos with every field that public deployments show.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPaymentMethodBoleto = PaymentMethodBoleto

/**
 * @category models
 * @since 0.1.0
 */
export type FullPaymentMethodBoleto = typeof FullPaymentMethodBoleto.Type

/**
 * The Pix node with every field that public deployments show.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPaymentMethodPix = PaymentMethodPix

/**
 * @category models
 * @since 0.1.0
 */
export type FullPaymentMethodPix = typeof FullPaymentMethodPix.Type
