/**
 * The card operator, the boleto bank and the Pix provider together, over one store, and the people who pay there.
 *
 * @since 0.1.0
 */
import type { PixPartError } from "@parcela/core/pix/PixBrCode"
import type { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import type { CardOperator } from "@parcela/engine/ports/CardOperator"
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Layer from "effect/Layer"
import type { SchemaError } from "effect/Schema"
import { ProviderLedger } from "./ProviderLedger.ts"
import { Payers } from "./Payers.ts"
import * as SimulatedBoletoBank from "./SimulatedBoletoBank.ts"
import * as SimulatedCardOperator from "./SimulatedCardOperator.ts"
import * as SimulatedChargebacks from "./SimulatedChargebacks.ts"
import * as SimulatedPixProvider from "./SimulatedPixProvider.ts"
import type { PixReceiver } from "./SimulatedPixProvider.ts"
import type { SimulatorStore } from "./SimulatorStore.ts"
import { PaymentReports } from "@parcela/engine/ports/PaymentReports"
import * as Effect from "effect/Effect"

/**
 * What is left out keeps its default.
 *
 * @category options
 * @since 0.1.0
 */
export interface ProviderSimulatorConfig {
  /** The account that boletos are paid into: digits only, of fixed lengths. */
  readonly boleto?: Partial<SimulatedBoletoBank.IssuerAccount>
  /** Who is paid by Pix, and the host where charges lie: lengths in characters. */
  readonly pix?: Partial<PixReceiver>
}

/**
 * As `layer`, with the caller's source of random numbers: with a seeded `SecureRandom` the same calls get the same responses.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = (
  config: ProviderSimulatorConfig = {}
): Layer.Layer<
  CardOperator | BoletoBank | PixProvider | Payers | ProviderLedger,
  SchemaError | PixPartError,
  SimulatorStore | SecureRandom.SecureRandom
> =>
  Layer.mergeAll(
    SimulatedCardOperator.layerNoDeps,
    SimulatedChargebacks.layerNoDeps,
    SimulatedBoletoBank.layer(config.boleto),
    SimulatedPixProvider.layerNoDeps(config.pix),
    Layer.provideMerge(paymentReports, Payers.layerNoDeps),
    ProviderLedger.layer
  )

/**
 * The three providers, the payers, and what was asked of them. Fails when the configuration is malformed.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  config?: ProviderSimulatorConfig
): Layer.Layer<
  CardOperator | BoletoBank | PixProvider | Payers | ProviderLedger,
  SchemaError | PixPartError,
  SimulatorStore
> => Layer.provide(layerNoDeps(config), SecureRandom.layerWebCrypto)

/**
 * @category layers
 * @since 0.1.0
 */
const paymentReports: Layer.Layer<never, never, Payers> = Layer.effect(
  PaymentReports,
  Effect.map(Payers, ({ reports }) => reports)
)
