/**
 * Tax invoices (nota fiscal) of transactions, and the setting that defines when they are issued. Source: public use
 * (Transaction, InvoiceConfig). Inferred: which fields are required, and the limit of 255 characters.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Fields.ts"
import { LocalDateTime } from "../time/LocalDate.ts"
import { string, Text, FreeText, int } from "../values/Text.ts"
import { SvcPayId } from "../values/Identifier.ts"

/**
 * The status of a tax invoice.
 *
 * @category schemas
 * @since 0.1.0
 */
export const InvoiceStatus = Schema.Literals(["pending", "emitted", "rejected", "error", "cancel", "cancelOutSystem"])

/**
 * @category models
 * @since 0.1.0
 */
export type InvoiceStatus = typeof InvoiceStatus.Type

/**
 * A tax invoice. `pdf` and `xml` are links.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Invoice = Schema.Struct({
  description: described(Schema.optionalKey(Text), "Description of the service on the invoice."),
  number: described(Schema.optionalKey(string(255)), "Its number."),
  status: described(InvoiceStatus, "Its current state."),
  statusDescription: described(Schema.optionalKey(string(255)), "More about the status."),
  statusDate: described(
    Schema.optionalKey(LocalDateTime),
    "Since when it has its status: YYYY-MM-DD HH:MM:SS, Brazil time."
  ),
  pdf: described(Schema.optionalKey(string(255)), "Link to the PDF."),
  xml: described(Schema.optionalKey(string(255)), "Link to the XML.")
}).annotate({ identifier: "Invoice", description: "The tax invoice (nota fiscal) of a payment." })

/**
 * @category models
 * @since 0.1.0
 */
export type Invoice = typeof Invoice.Type

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
  { expected: "the number of days that the chosen createOn needs", toJsonSchema: () => [{}, true] }
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
