/**
 * The contract text that a customer accepted on the payment link. Source: public use (the `Contract` of
 * Subscription and Charge); limits and optional fields are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { string } from "../values/Text.ts"

/**
 * Who accepted, from which address and when; `pdf` is a link. `acceptedAt` is missing until it is accepted (inferred).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AcceptedContract = Schema.Struct({
  name: Schema.optionalKey(string(255)),
  document: Schema.optionalKey(string(14)),
  ip: Schema.optionalKey(string(255)),
  acceptedAt: Schema.optionalKey(LocalDateTime),
  pdf: Schema.optionalKey(string(255))
})

/**
 * @category models
 * @since 0.1.0
 */
export type AcceptedContract = typeof AcceptedContract.Type
