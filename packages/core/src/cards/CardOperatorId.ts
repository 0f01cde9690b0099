/**
 * The card operators. Source: public use (enums, Brand).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The identifiers that operators have in `Brand.operatorIds`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardOperatorId = Schema.Literals([
  "bin",
  "cielo",
  "getnet",
  "getnetNew",
  "globalpayments",
  "pagseguro",
  "rede",
  "zoop",
  "galaxpay",
  "adyen",
  "stone"
])

/**
 * @category models
 * @since 0.1.0
 */
export type CardOperatorId = typeof CardOperatorId.Type

/**
 * The operators of a brand's `operatorIds`, which is one text such as `getnet,cielo` (interface section 2.7). An
 * operator that is not known here comes back as it is written; empty places are left out.
 *
 * @category conversions
 * @since 0.1.0
 */
export const operatorsOf = (operatorIds: string): ReadonlyArray<CardOperatorId | (string & {})> =>
  operatorIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "")
