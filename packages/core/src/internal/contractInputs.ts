/**
 * Request fields that subscriptions and charges share, besides payment settings.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { Split } from "../money/Split.ts"
import { described } from "../values/Described.ts"
import { ExtraFields } from "../values/ExtraFields.ts"

/**
 * Stored and returned unchanged.
 *
 * @category fields
 * @since 0.1.0
 */
export const contractInputs = {
  InvoiceConfig: described(
    Schema.optionalKey(InvoiceConfig),
    "The time at which tax invoices of its payments are issued."
  ),
  ExtraFields: described(Schema.optionalKey(ExtraFields), "Fields of the company's own."),
  Split: described(Schema.optionalKey(Split), "A part of each payment that goes to another recipient.")
}
