/**
 * The tax invoice (nota fiscal) of a transaction. Source: public use (Transaction); which fields are
 * always there, and that texts have at most 255 characters, is inferred.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
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
  description: Schema.optionalKey(Text),
  number: Schema.optionalKey(string(255)),
  status: InvoiceStatus,
  statusDescription: Schema.optionalKey(string(255)),
  statusDate: Schema.optionalKey(LocalDateTime),
  pdf: Schema.optionalKey(string(255)),
  xml: Schema.optionalKey(string(255))
})

/**
 * @category models
 * @since 0.1.0
 */
export type Invoice = typeof Invoice.Type
