/**
 * The body of "reverse a transaction", which the interface names only by its scope; public clients send
 * `valueToReverse` (public interfaces of this family, `PUT /transactions/{id}/{typeId}/reverse`).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { atLeastOneCent } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"

/**
 * Without `valueToReverse`, all that is left is given back.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReverseTransaction = Schema.Struct({
  valueToReverse: described(
    Schema.optionalKey(atLeastOneCent),
    "Amount to return, in cents, at least 1. Defaults to all that remains."
  )
}).annotate({ identifier: "ReverseTransaction", description: "Amount of a transaction to return." })

/**
 * @category models
 * @since 0.1.0
 */
export type ReverseTransaction = typeof ReverseTransaction.Type
