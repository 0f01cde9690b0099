/**
 * The contract text that a customer accepted on the payment link. Source: public use (the `Contract` of
 * Subscription and Charge); limits and optional fields are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { string } from "../values/Text.ts"

/**
 * Who accepted, from which address and when; `pdf` is a link. `acceptedAt` is missing until it is accepted (inferred).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AcceptedContract = Schema.Struct({
  name: described(Schema.optionalKey(string(255)), "Person who accepted it."),
  document: described(Schema.optionalKey(string(14)), "Tax number of who accepted it, digits only."),
  ip: described(Schema.optionalKey(string(255)), "Address from which it was accepted."),
  acceptedAt: described(Schema.optionalKey(LocalDateTime), "Time of acceptance: YYYY-MM-DD HH:MM:SS, Brazil time."),
  pdf: described(Schema.optionalKey(string(255)), "Link to the PDF.")
}).annotate({ identifier: "AcceptedContract", description: "The contract text that a customer accepted." })

/**
 * @category models
 * @since 0.1.0
 */
export type AcceptedContract = typeof AcceptedContract.Type
