/**
 * A plan that subscriptions are made from (scopes `plans.read` and `plans.write`). Source: public use:
 * the fields of a request are documented; `status`, `createdAt` and `updatedAt`, which the list filters by, `contract` and
 * the limits are inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { Cents } from "../money/Cents.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { Periodicity } from "./Periodicity.ts"
import { int, nonEmptyString, Text } from "../values/Text.ts"

/**
 * What the plan costs by one payment method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanPrice = Schema.Struct({
  payment: described(PaymentMethodId, "The payment method that the price is for."),
  value: described(Cents, "Price of each payment, in cents."),
  installment: described(
    Schema.NullOr(int(11)),
    "Number of card instalments that the price is for; null where it is for any."
  )
}).annotate({ identifier: "PlanPrice", description: "Price of a plan for one payment method." })

/**
 * @category models
 * @since 0.1.0
 */
export type PlanPrice = typeof PlanPrice.Type

/**
 * A plan as the service returns it. What clients read is there: a value, or `null`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Plan = Schema.Struct({
  svcPayId: described(SvcPayId, "Identifier of the plan, assigned by the service."),
  myId: described(Schema.NullOr(MyId), "Identifier of the plan in the client system."),
  name: described(nonEmptyString(255), "Name of the plan."),
  periodicity: described(Periodicity, "Interval between payments of a subscription to it."),
  quantity: described(int(11), "Number of payments of a subscription to it; 0 is without end."),
  additionalInfo: described(Schema.NullOr(Text), "Free text for internal notes."),
  contract: described(
    Schema.NullOr(Text),
    "Text of a contract that payers accept. Always null: this server has no contracts."
  ),
  PlanPrices: described(Schema.Array(PlanPrice), "Prices by payment method."),
  status: described(ActiveStatus, "True if subscriptions can be created from it."),
  createdAt: described(LocalDateTime, "Time at which the plan was created: YYYY-MM-DD HH:MM:SS, Brazil time."),
  updatedAt: described(LocalDateTime, "Time of the last change of the plan: YYYY-MM-DD HH:MM:SS, Brazil time.")
}).annotate({ identifier: "Plan", description: "A plan that subscriptions are made from." })

/**
 * @category models
 * @since 0.1.0
 */
export type Plan = typeof Plan.Type
