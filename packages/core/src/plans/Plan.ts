/**
 * Plans, from which subscriptions are created, in responses and requests (scopes `plans.read` and `plans.write`). Source:
 * public use for the fields of requests. Inferred: `status`, `createdAt` and `updatedAt`, by which the list filters,
 * `contract`, and the limits.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { ActiveStatus, described } from "../values/Fields.ts"
import { Cents } from "../money/Cents.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { LocalDateTime } from "../time/LocalDate.ts"
import { PaymentMethodId } from "../paymentMethods/PaymentMethod.ts"
import { int, nonEmptyString, Text, FreeText, wholeNumber } from "../values/Text.ts"
import * as Struct from "effect/Struct"
import { atLeastOneCent } from "../transactions/PaymentRequests.ts"

/**
 * The price of a plan for one payment method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanPrice = Schema.Struct({
  payment: described(PaymentMethodId, "The payment method that the price is for."),
  value: described(Cents, "Price of each payment, in cents."),
  installment: described(
    Schema.NullOr(int(11)),
    "Number of card instalments for which the price applies; null for any number."
  )
}).annotate({ identifier: "PlanPrice", description: "Price of a plan for one payment method." })

/**
 * @category models
 * @since 0.1.0
 */
export type PlanPrice = typeof PlanPrice.Type

/**
 * The interval between payments of a plan or a subscription, from `weekly` to `yearly`. Source: public use (enums).
 *
 * @category schemas
 * @since 0.1.0
 */
export const Periodicity = Schema.Literals([
  "weekly",
  "biweekly",
  "monthly",
  "bimonthly",
  "quarterly",
  "biannual",
  "yearly"
]).annotate({ identifier: "Periodicity", description: "Interval between payments." })

/**
 * @category models
 * @since 0.1.0
 */
export type Periodicity = typeof Periodicity.Type

/**
 * A plan in responses. Every field is present, with a value or `null`.
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

/**
 * A price in a request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanPriceInput = Schema.Struct({
  payment: described(PaymentMethodId, "The payment method that the price is for."),
  value: described(atLeastOneCent, "Price of each payment, in cents, at least 1."),
  installment: described(
    Schema.optionalKey(wholeNumber(1, 99)),
    "Number of card instalments for which the price applies. Defaults to any number."
  )
}).annotate({ identifier: "PlanPriceInput", description: "Price of a plan for one payment method." })

/**
 * @category models
 * @since 0.1.0
 */
export type PlanPriceInput = typeof PlanPriceInput.Type

const maxPrices = 100

const eachOnce = Schema.makeFilter(
  (prices: ReadonlyArray<PlanPriceInput>) =>
    new Set(prices.map(({ installment, payment }) => `${payment} ${installment ?? ""}`)).size === prices.length,
  { expected: "one price for each payment method and number of instalments" }
)

const PlanPrices = Schema.Array(PlanPriceInput).check(
  Schema.isNonEmpty({ expected: "at least one price" }),
  Schema.isMaxLength(maxPrices, { expected: `at most ${maxPrices} prices` }),
  eachOnce
)

/**
 * The body of "create plan". Unknown fields are refused.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreatePlan = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier of the plan in the client system; unique per company."),
  name: described(nonEmptyString(255), "Name of the plan."),
  periodicity: described(Periodicity, "Interval between payments of a subscription to it."),
  quantity: described(int(11), "Number of payments of a subscription to it; 0 is without end."),
  additionalInfo: described(Schema.optionalKey(FreeText), "Free text for internal notes."),
  PlanPrices: described(PlanPrices, "Prices by payment method; at least one.")
}).annotate({ identifier: "CreatePlan", description: "A plan to be created." })

/**
 * @category models
 * @since 0.1.0
 */
export type CreatePlan = typeof CreatePlan.Type

/**
 * The body of "edit plan". Absent fields stay unchanged. Existing subscriptions to the plan do not change.
 *
 * @category schemas
 * @since 0.1.0
 */
export const EditPlan = CreatePlan.mapFields((fields) => ({
  ...Struct.map(Struct.omit(fields, ["myId", "additionalInfo"]), Schema.optionalKey),
  myId: fields.myId,
  additionalInfo: fields.additionalInfo,
  status: described(
    Schema.optionalKey(ActiveStatus),
    "active activates a deactivated plan; inactive deactivates it, as DELETE does."
  )
})).annotate({ identifier: "EditPlan", description: "Changes of a plan." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditPlan = typeof EditPlan.Type
