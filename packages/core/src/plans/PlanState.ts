/**
 * What the service knows of a plan.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { CompanyId } from "../companies/CompanyState.ts"
import { Cents } from "../money/Cents.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { BusinessTime } from "../time/BusinessTime.ts"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { Periodicity } from "./Periodicity.ts"

/**
 * A plan of one company; times in milliseconds since 1970. `quantity` counts payments, 0 is without end. There is at most
 * one price for a payment method and a number of instalments; one without `installment` is for any number.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanState = Schema.Struct({
  id: SvcPayId,
  companyId: CompanyId,
  myId: Schema.optionalKey(MyId),
  name: Schema.String,
  periodicity: Periodicity,
  quantity: Schema.Int,
  additionalInfo: Schema.optionalKey(Schema.String),
  prices: Schema.Array(
    Schema.Struct({ payment: PaymentMethodId, value: Cents, installment: Schema.optionalKey(Schema.Int) })
  ),
  status: ActiveStatus,
  createdAt: BusinessTime,
  updatedAt: BusinessTime
})

/**
 * @category models
 * @since 0.1.0
 */
export type PlanState = typeof PlanState.Type
