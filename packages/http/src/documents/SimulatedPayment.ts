/**
 * Where a payer of a sandbox pays without money. A service for real payers has no such address.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * The last part of the address, beside `/pix` and `/boleto.pdf`; undefined where nothing is simulated.
 *
 * @category references
 * @since 0.1.0
 */
export const SimulatedPayment = Context.Reference<string | undefined>("@parcela/http/documents/SimulatedPayment", {
  defaultValue: () => undefined
})
