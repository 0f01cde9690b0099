/**
 * Payments of boletos and Pix charges as their providers report them.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Cents } from "../money/Cents.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { nonEmptyString } from "../values/Text.ts"

/**
 * One payment of a boleto or a Pix, as the bank or the provider reported it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Settlement = Schema.Struct({
  /** The bank's own name for this payment, or a Pix's end-to-end id: the same report again is the same payment. */
  id: nonEmptyString(255),
  value: Cents,
  paidOn: LocalDate,
  /** What the bank or the provider kept. */
  fee: Schema.optionalKey(Cents)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Settlement = typeof Settlement.Type
