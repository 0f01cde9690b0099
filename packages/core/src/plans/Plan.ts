/**
 * A plan that subscriptions are made from (scopes `plans.read` and `plans.write`). Source: public use:
 * the fields of a request are documented; `status`, `createdAt` and `updatedAt`, which the list filters by, and the
 * limits are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { Cents } from "../money/Cents.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { Periodicity } from "./Periodicity.ts"
import { int, nonEmptyString, Text } from "../values/Text.ts"

/**
 * What the plan costs by one payment method: `value` in cents, for a card perhaps by number of instalments.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanPrice = Schema.Struct({
  payment: PaymentMethodId,
  value: Cents,
  installment: Schema.optionalKey(int(11))
})

/**
 * @category models
 * @since 0.1.0
 */
export type PlanPrice = typeof PlanPrice.Type

/**
 * `quantity` counts payments, 0 is without end.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Plan = Schema.Struct({
  svcPayId: SvcPayId,
  myId: Schema.optionalKey(MyId),
  name: nonEmptyString(255),
  periodicity: Periodicity,
  quantity: int(11),
  additionalInfo: Schema.optionalKey(Text),
  PlanPrices: Schema.Array(PlanPrice),
  status: Schema.optionalKey(ActiveStatus),
  createdAt: Schema.optionalKey(LocalDateTime),
  updatedAt: Schema.optionalKey(LocalDateTime)
})

/**
 * @category models
 * @since 0.1.0
 */
export type Plan = typeof Plan.Type
