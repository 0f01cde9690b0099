/**
 * The body of "add a payment to a subscription", which interface section 4.1 names without showing it; its fields
 * are decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CardInput } from "./CardInput.ts"
import { MyId } from "./Identifier.ts"
import { LocalDate } from "./LocalDate.ts"
import { Cents } from "./Cents.ts"
import { Text } from "./Text.ts"

/**
 * `value` in cents, at least 1; `payday` a day (interface section 4.1 names the operation).
 *
 * @category schemas
 * @since 0.1.0
 */
export const AddPayment = Schema.Struct({
  myId: MyId,
  value: Cents.check(Schema.isGreaterThan(0, { expected: "at least one cent" })),
  payday: LocalDate,
  payedOutsideSvcPay: Schema.optionalKey(Schema.Boolean),
  additionalInfo: Schema.optionalKey(Text),
  PaymentMethodCreditCard: Schema.optionalKey(Schema.Struct({ Card: Schema.optionalKey(CardInput) }))
})

/**
 * @category models
 * @since 0.1.0
 */
export type AddPayment = typeof AddPayment.Type
