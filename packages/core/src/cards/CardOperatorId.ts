/**
 * Card operators. Source: public use (enums, Brand).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The identifiers of operators in `Brand.operatorIds`.
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
 * Parses `operatorIds`, one text such as `getnet,cielo` (interface section 2.7). Unknown operators are returned
 * unchanged; empty items are dropped.
 *
 * @category conversions
 * @since 0.1.0
 */
export const operatorsOf = (operatorIds: string): ReadonlyArray<CardOperatorId | (string & {})> =>
  operatorIds
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "")
