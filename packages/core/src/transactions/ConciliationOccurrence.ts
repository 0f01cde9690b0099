/**
 * What the card operator paid out for a transaction, or took back. Source: public use (Transaction);
 * the names and the two types are documented, limits and optional fields are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
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
  type: described(Schema.Literals(["payment", "canceled"]), "Direction: paid out or taken back."),
  liquidValue: described(Cents, "Amount paid out, in cents."),
  depositDate: described(Schema.optionalKey(LocalDate), "Day of the deposit: YYYY-MM-DD."),
  taxValue: described(Schema.optionalKey(Cents), "Fee, in cents."),
  taxPercent: described(Schema.optionalKey(Percentage), "Fee, in hundredths of a percent."),
  bankName: described(Schema.optionalKey(string(255)), "Name of the bank."),
  // A number, as a boleto has it.
  bankNumber: described(Schema.optionalKey(int(11)), "Number of the bank."),
  agency: described(Schema.optionalKey(string(255)), "Agency of the account."),
  account: described(Schema.optionalKey(string(255)), "The account.")
}).annotate({
  identifier: "ConciliationOccurrence",
  description: "Amount that the card operator paid out for a payment or took back."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ConciliationOccurrence = typeof ConciliationOccurrence.Type
