/**
 * What the card operator paid out for a transaction, or took back. Source: public use (Transaction);
 * the names and the two types are documented, limits and optional fields are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { Percentage } from "../money/Percentage.ts"
import { int, string } from "../values/Text.ts"

/**
 * `liquidValue` and `taxValue` are cents, `taxPercent` is percent times 100; the rest names the account.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ConciliationOccurrence = Schema.Struct({
  type: Schema.Literals(["payment", "canceled"]),
  liquidValue: Cents,
  depositDate: Schema.optionalKey(LocalDate),
  taxValue: Schema.optionalKey(Cents),
  taxPercent: Schema.optionalKey(Percentage),
  bankName: Schema.optionalKey(string(255)),
  // A number, as a boleto has it.
  bankNumber: Schema.optionalKey(int(11)),
  agency: Schema.optionalKey(string(255)),
  account: Schema.optionalKey(string(255))
})

/**
 * @category models
 * @since 0.1.0
 */
export type ConciliationOccurrence = typeof ConciliationOccurrence.Type
