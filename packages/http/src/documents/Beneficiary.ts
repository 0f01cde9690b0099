/**
 * The payee on a slip or a Pix code, as the payer reads it. The interface has no such data (section 2.6), so a
 * deployment configures it.
 *
 * @since 0.1.0
 */
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"

/**
 * **Details**
 *
 * `address` is one line; Lei 12.039/2009 requires it on documents that charge consumers. `bankCheckDigit` is the digit
 * after the bank's number, if it differs from the usual modulo 11. `wallet` and `kind` are the bank's terms
 * ("carteira", "espécie doc."). Without them the kind is `OU` (others) and no wallet is printed.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Beneficiary = Schema.Struct({
  name: nonEmptyString(255),
  document: DocumentAlphanumeric,
  address: Schema.optionalKey(nonEmptyString(255)),
  bankName: nonEmptyString(40),
  bankCheckDigit: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[\dX]$/u, { expected: "a digit or X" }))),
  wallet: Schema.optionalKey(nonEmptyString(10)),
  kind: Schema.optionalKey(nonEmptyString(5))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Beneficiary = typeof Beneficiary.Type
