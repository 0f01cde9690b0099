/**
 * The body of "create subscription". Source: public use; its limits are decided in `docs/interface-decisions.md`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Periodicity } from "../plans/Periodicity.ts"
import { LocalDate } from "../time/LocalDate.ts"
import { atLeastOneCent, paymentInfo, paymentInvoice, wasPaidOutside } from "../internal/paymentInputs.ts"
import { described } from "../values/Described.ts"
import { MyId, SvcPayId } from "../values/Identifier.ts"
import { wholeNumber } from "../values/Text.ts"
import { CreateManualSubscription } from "./CreateManualSubscription.ts"

/** More than weekly for a century. */
const mostInstalments = 9_999

/**
 * What is different about one instalment; `installment` says which.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InstalmentInput = Schema.Struct({
  installment: described(wholeNumber(1, mostInstalments), "Number of the instalment: 1 is the first."),
  myId: described(
    Schema.optionalKey(MyId),
    "Identifier that the transaction gets in the client system; unique per company. One is made when it is omitted."
  ),
  value: described(Schema.optionalKey(atLeastOneCent), "Price, in cents, at least 1. The subscription's when omitted."),
  payday: described(Schema.optionalKey(LocalDate), "Due date: YYYY-MM-DD. By the periodicity when omitted."),
  payedOutsideSvcPay: wasPaidOutside,
  additionalInfo: paymentInfo,
  InvoiceConfig: paymentInvoice
}).annotate({ identifier: "InstalmentInput", description: "Values of one instalment that differ from the others." })

/**
 * @category models
 * @since 0.1.0
 */
export type InstalmentInput = typeof InstalmentInput.Type

const eachOnce = Schema.makeFilter(
  (instalments: ReadonlyArray<InstalmentInput>) =>
    new Set(instalments.map(({ installment }) => installment)).size === instalments.length,
  { expected: "each instalment once", toJsonSchema: () => [{}, true] }
)

/**
 * The whole body, read strictly.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CreateSubscription = Schema.Struct({
  ...CreateManualSubscription.fields,
  planMyId: described(
    Schema.optionalKey(MyId),
    "Plan, by its identifier in the client system: it has the price, the quantity and the periodicity that are omitted."
  ),
  planSvcPayId: described(Schema.optionalKey(SvcPayId), "Plan, by its identifier assigned by the service."),
  value: described(
    Schema.optionalKey(atLeastOneCent),
    "Price of each instalment, in cents, at least 1; required without a plan."
  ),
  quantity: described(
    Schema.optionalKey(wholeNumber(0, mostInstalments)),
    "Number of instalments; 0 means without end. They are created ahead; for a subscription without end one at a time. " +
      "Required without a plan."
  ),
  periodicity: described(
    Schema.optionalKey(Periodicity),
    "Interval between payments: a week, two weeks, a month, two, three or six months, or a year. Required without a plan."
  ),
  firstPayDayDate: described(
    LocalDate,
    "Due date of the first instalment: YYYY-MM-DD, from today on. The others are counted from it."
  ),
  Transactions: described(
    Schema.optionalKey(Schema.Array(InstalmentInput).check(eachOnce)),
    "Single instalments that differ from the others."
  )
}).annotate({
  identifier: "CreateSubscription",
  description: "A subscription to be created, with instalments at regular times."
})

/**
 * @category models
 * @since 0.1.0
 */
export type CreateSubscription = typeof CreateSubscription.Type
