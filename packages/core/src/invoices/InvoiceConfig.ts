/**
 * The settings of tax invoices (notas fiscais). Source: public use. The limits are inferred from other fields of the
 * interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { SvcPayId } from "../values/Identifier.ts"
import { described } from "../values/Described.ts"
import { FreeText, int } from "../values/Text.ts"

/**
 * The moment at which an invoice is issued. `daysBeforePayDay` and `daysAfterPayment` need a number of days.
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

const annotations = { description: "Time at which the tax invoice (nota fiscal) of a payment is issued." }

/**
 * Invoice settings. `daysBeforePayDay` requires `qtdDaysBeforePayDay`; `daysAfterPayment` requires `qtdDaysAfterPay`.
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
  .annotate(annotations)
  .check(daysAreGiven)
  // The check has its own annotations, and OpenAPI takes the name from there.
  .annotate({ identifier: "InvoiceConfig", ...annotations })

/**
 * @category models
 * @since 0.1.0
 */
export type InvoiceConfig = typeof InvoiceConfig.Type
