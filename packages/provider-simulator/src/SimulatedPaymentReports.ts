/**
 * The simulated bank and the simulated Pix provider as the service asks them for the payments that came in.
 *
 * @since 0.1.0
 */
import { PaymentReports } from "@parcela/engine/ports/PaymentReports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Payers } from "./Payers.ts"

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<never, never, Payers> = Layer.effect(
  PaymentReports,
  Effect.map(Payers, ({ reports }) => reports)
)
