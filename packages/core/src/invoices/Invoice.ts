/**
 * The tax invoice (nota fiscal) of a transaction. Source: public use (Transaction); which fields are
 * always there, and that texts have at most 255 characters, is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { LocalDateTime } from "../time/LocalDateTime.ts"
import { string, Text } from "../values/Text.ts"

/**
 * Where a tax invoice stands.
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
 * `pdf` and `xml` are links.
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
