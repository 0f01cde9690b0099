/**
 * What a request says of a plan, to create or to edit it. Source: public use; what the documentation does not limit is
 * decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { PaymentMethodId } from "../paymentMethods/PaymentMethodId.ts"
import { ActiveStatus } from "../values/ActiveStatus.ts"
import { atLeastOneCent } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { MyId } from "../values/Identifier.ts"
import { FreeText, int, nonEmptyString, wholeNumber } from "../values/Text.ts"
import { Periodicity } from "./Periodicity.ts"

/**
 * One price of a request.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PlanPriceInput = Schema.Struct({
  payment: described(PaymentMethodId, "The payment method that the price is for."),
  value: described(atLeastOneCent, "Price of each payment, in cents, at least 1."),
  installment: described(
    Schema.optionalKey(wholeNumber(1, 99)),
    "Number of card instalments that the price is for; for any number when omitted."
  )
}).annotate({ identifier: "PlanPriceInput", description: "Price of a plan for one payment method." })

/**
 * @category models
 * @since 0.1.0
 */
export type PlanPriceInput = typeof PlanPriceInput.Type

const mostPrices = 100

const eachOnce = Schema.makeFilter(
  (prices: ReadonlyArray<PlanPriceInput>) =>
    new Set(prices.map(({ installment, payment }) => `${payment} ${installment ?? ""}`)).size === prices.length,
  { expected: "one price for each payment method and number of instalments" }
)

const PlanPrices = Schema.Array(PlanPriceInput).check(
  Schema.isNonEmpty({ expected: "at least one price" }),
  Schema.isMaxLength(mostPrices, { expected: `at most ${mostPrices} prices` }),
  eachOnce
)

/**
 * The whole body of "create plan", read strictly.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreatePlan = Schema.Struct({
  myId: described(Schema.optionalKey(MyId), "Identifier that the plan gets in the client system; unique per company."),
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
 * The body of "edit plan": what is absent stays as it is. Subscriptions that were made from the plan do not change.
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
    "active activates a plan that was deactivated; inactive does what DELETE does."
  )
})).annotate({ identifier: "EditPlan", description: "Changes of a plan." })

/**
 * @category models
 * @since 0.1.0
 */
export type EditPlan = typeof EditPlan.Type
