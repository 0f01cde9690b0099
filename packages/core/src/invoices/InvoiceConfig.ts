/**
 * When the tax invoice (nota fiscal) of a payment is made. Source: public use; the limits are inferred
 * from the interface's other fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SvcPayId } from "../values/Identifier.ts"
import { described } from "../values/Described.ts"
import { FreeText, int } from "../values/Text.ts"

/**
 * The moment an invoice is made. The first and the last count days, which stand in a field of their own.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InvoiceMoment = Schema.Literals(["daysBeforePayDay", "payment", "notificationSend", "daysAfterPayment"])

/**
 * @category models
 * @since 0.1.0
 */
export type InvoiceMoment = typeof InvoiceMoment.Type

const daysAreGiven = Schema.makeFilter(
  (config: {
    readonly createOn: InvoiceMoment
    readonly qtdDaysBeforePayDay?: number
    readonly qtdDaysAfterPay?: number
  }) => {
    if (config.createOn === "daysBeforePayDay" && config.qtdDaysBeforePayDay === undefined) {
      return { path: ["qtdDaysBeforePayDay"], issue: "is required when createOn is daysBeforePayDay" }
    }
    if (config.createOn === "daysAfterPayment" && config.qtdDaysAfterPay === undefined) {
      return { path: ["qtdDaysAfterPay"], issue: "is required when createOn is daysAfterPayment" }
    }
    return undefined
  },
  { expected: "the days that createOn counts", toJsonSchema: () => [{}, true] }
)

const said = { description: "Time at which the tax invoice (nota fiscal) of a payment is issued." }

/**
 * `qtdDaysBeforePayDay` must be there with `daysBeforePayDay`, and `qtdDaysAfterPay` with `daysAfterPayment`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InvoiceConfig = Schema.Struct({
  description: described(FreeText, "Description of the service on the invoice."),
  type: described(Schema.Literals(["onePerTransaction", "onlyOne"]), "An invoice for each payment, or one for all."),
  createOn: described(InvoiceMoment, "Time at which it is issued."),
  qtdDaysBeforePayDay: described(
    Schema.optionalKey(int(11)),
    "Days before the due date; required if createOn is daysBeforePayDay."
  ),
  qtdDaysAfterPay: described(
    Schema.optionalKey(int(11)),
    "Days after the payment; required if createOn is daysAfterPayment."
  ),
  svcPaySubAccountId: described(Schema.optionalKey(SvcPayId), "The account in whose name it is made out.")
})
  .annotate(said)
  .check(daysAreGiven)
  // A check carries annotations of its own, and the name is looked for there.
  .annotate({ identifier: "InvoiceConfig", ...said })

/**
 * @category models
 * @since 0.1.0
 */
export type InvoiceConfig = typeof InvoiceConfig.Type
