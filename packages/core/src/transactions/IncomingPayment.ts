/**
 * Payments of boletos and Pix charges as banks and Pix providers report them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { Cents } from "../money/Cents.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * What a provider calls the boleto or the Pix charge that was paid. A `txid` is a Pix charge; a `barcode` or the bank's
 * own number (nosso número) is a boleto.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaidReference = Schema.Struct({
  kind: Schema.Literals(["txid", "barcode", "ourNumber"]),
  value: nonEmptyString(255)
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaidReference = typeof PaidReference.Type

/**
 * One payment, as its provider reported it. `value` and `fee` are cents.
 *
 * @category schemas
 * @since 0.1.0
 */
export const IncomingPayment = Schema.Struct({
  method: Schema.Literals(["boleto", "pix"]),
  /**
   * The provider's own name of this payment: a Pix's end-to-end id, or the bank's name of the settlement. The same name
   * of the same method again is the same payment, so an adapter of a bank whose names are unique to that bank alone puts
   * the bank's number in front.
   */
  id: nonEmptyString(255),
  /** What it paid. */
  reference: PaidReference,
  value: Cents,
  /** When it was paid, on the clock of the company: the instant itself, unless that clock was advanced. */
  paidAt: BusinessTime,
  /** What the provider kept. */
  fee: Schema.optionalKey(Cents),
  /** Who paid, where the provider says it: not always the customer. */
  payer: Schema.optionalKey(
    Schema.Struct({ name: Schema.optionalKey(Schema.String), document: Schema.optionalKey(Schema.String) })
  ),
  /** Whose account the money came into, where the provider says it. References of other companies are not looked at. */
  companyId: Schema.optionalKey(CompanyId)
})

/**
 * @category models
 * @since 0.1.0
 */
export type IncomingPayment = typeof IncomingPayment.Type
