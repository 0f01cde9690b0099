/**
 * What requests say of a payment, by itself or with the subscription or the charge that it is of.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { InvoiceConfig } from "../invoices/InvoiceConfig.ts"
import { maximum } from "../money/Cents.ts"
import { described } from "../values/Described.ts"
import { FreeText } from "../values/Text.ts"
import { amountInCents } from "./plainWords.ts"

/**
 * An amount that is not nothing.
 *
 * @category schemas
 * @since 0.1.0
 */
export const atLeastOneCent = Schema.Number.check(
  Schema.isInt({ expected: amountInCents }).abort(),
  Schema.isGreaterThan(0, { expected: "at least one cent" }).abort(),
  Schema.isLessThanOrEqualTo(maximum, { expected: amountInCents })
).pipe(Schema.brand("Cents"))

/**
 * Of a payment that is created.
 *
 * @category fields
 * @since 0.1.0
 */
export const wasPaidOutside = described(
  Schema.optionalKey(Schema.Boolean),
  "True if it was paid outside the service, for example in cash or by transfer."
)

/**
 * Of a payment that is there.
 *
 * @category fields
 * @since 0.1.0
 */
export const isPaidOutside = described(
  Schema.optionalKey(Schema.Boolean),
  "True: it was paid outside the service, for example in cash or by transfer."
)

/**
 * @category fields
 * @since 0.1.0
 */
export const paymentInfo = described(
  Schema.optionalKey(FreeText),
  "Additional text about the transaction; it is printed on the boleto."
)

/**
 * @category fields
 * @since 0.1.0
 */
export const paymentInvoice = described(
  Schema.optionalKey(InvoiceConfig),
  "Time at which the tax invoice of this payment is issued."
)
