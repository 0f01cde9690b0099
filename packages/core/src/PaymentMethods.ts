/**
 * How a subscription asks for boletos and Pix payments (interface sections 2.9 and 2.10).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { int, string } from "./Text.ts"

/**
 * `fine` and `interest` are percent times 100: 200 is 2.00 %.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodBoleto = Schema.Struct({
  fine: Schema.optionalKey(int(11)),
  interest: Schema.optionalKey(int(11)),
  instructions: Schema.optionalKey(string(255)),
  deadlineDays: Schema.optionalKey(int(11))
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodBoleto = typeof PaymentMethodBoleto.Type

/**
 * How long a Pix code can be paid. The interface allows `days` and describes the value as "days or minutes".
 *
 * @category schemas
 * @since 0.1.0
 */
export const Deadline = Schema.Struct({
  type: Schema.Literals(["days", "minutes"]),
  value: int(11)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Deadline = typeof Deadline.Type

/**
 * `fine` and `interest` are percent times 100: 200 is 2.00 % (interface section 2.10).
 *
 * @category schemas
 * @since 0.1.0
 */
export const PaymentMethodPix = Schema.Struct({
  fine: Schema.optionalKey(int(11)),
  interest: Schema.optionalKey(int(11)),
  instructions: Schema.optionalKey(string(255)),
  Deadline: Schema.optionalKey(Deadline)
})

/**
 * @category models
 * @since 0.1.0
 */
export type PaymentMethodPix = typeof PaymentMethodPix.Type
