/**
 * Who is paid with a slip or a Pix code, as the payer reads it. The interface holds none of this (section 2.6), so a
 * deployment says it.
 *
 * @since 0.1.0
 */
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"

/**
 * **Details**
 *
 * `address` is in one line; Lei 12.039/2009 wants it on whatever a consumer is charged with. `bankCheckDigit` is what
 * is printed behind the bank's number, when it is not the usual modulo 11. `wallet` and `kind` are the bank's words
 * ("carteira", "espécie doc."); without them `OU` (others) is the kind and no wallet is printed.
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
