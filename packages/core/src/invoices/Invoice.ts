/**
 * The tax invoice (nota fiscal) of a transaction. Source: public use (Transaction). Inferred: which fields are
 * required, and the limit of 255 characters.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { string, Text } from "../values/Text.ts"

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
