/**
 * Request fields of a payment, alone or within a subscription or charge.
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
 * An amount of at least one cent.
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
 * The field of a new payment.
 *
 * @category fields
 * @since 0.1.0
 */
export const wasPaidOutside = described(
  Schema.optionalKey(Schema.Boolean),
  "True if it was paid outside the service, for example in cash or by transfer."
)

/**
 * The field of an existing payment.
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
