/**
 * The payment methods of a subscription or charge with every field that public deployments show, beyond interface
 * sections 2.8 to 2.10. Source: public use; what the interface does not limit is limited like its
 * neighbours (inferred).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AntifraudInput } from "../transactions/Antifraud.ts"
import { CardOperatorId } from "../cards/CardOperatorId.ts"
import { Discount } from "../money/Discount.ts"
import { FullCard } from "../cards/FullCard.ts"
import { PaymentMethodBoleto, PaymentMethodPix } from "./PaymentMethods.ts"
import { int, string } from "../values/Text.ts"

/**
 * The bounds of the payment link that is made when there is no card: how many instalments the payer may choose.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardLink = Schema.Struct({
  minInstallment: Schema.optionalKey(int(11)),
  maxInstallment: Schema.optionalKey(int(11))
})

/**
 * @category models
 * @since 0.1.0
 */
export type CardLink = typeof CardLink.Type

/**
 * A card, or a link to enter one. `preAuthorize` asks for an authorization without a capture.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPaymentMethodCreditCard = Schema.Struct({
  Card: Schema.optionalKey(FullCard),
  Link: Schema.optionalKey(CardLink),
  qtdInstallments: Schema.optionalKey(int(11)),
  preAuthorize: Schema.optionalKey(Schema.Boolean),
  cardOperatorId: Schema.optionalKey(CardOperatorId),
  Antifraud: Schema.optionalKey(AntifraudInput)
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullPaymentMethodCreditCard = typeof FullPaymentMethodCreditCard.Type

/**
 * `Aggrement` is the deployment's own spelling.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FullPaymentMethodBoleto = Schema.Struct({
  ...PaymentMethodBoleto.fields,
  documentNumber: Schema.optionalKey(string(255)),
  Aggrement: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(string(255)), document: Schema.optionalKey(string(14)) })
  ),
  Discount: Schema.optionalKey(Discount)
})

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
export const FullPaymentMethodPix = Schema.Struct({
  ...PaymentMethodPix.fields,
  Discount: Schema.optionalKey(Discount)
})

/**
 * @category models
 * @since 0.1.0
 */
export type FullPaymentMethodPix = typeof FullPaymentMethodPix.Type
