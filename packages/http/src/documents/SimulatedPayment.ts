/**
 * The page where a payer of a sandbox simulates a payment. A service for real payers has no such page.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The last segment of the page's path, next to `/pix` and `/boleto.pdf`; undefined outside a sandbox.
 *
 * @category references
 * @since 0.1.0
 */
export const SimulatedPayment = Context.Reference<string | undefined>("@parcela/http/documents/SimulatedPayment", {
  defaultValue: () => undefined
})
