/**
 * The simulated card operator, boleto bank and Pix provider over one store, with payers and ledger.
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
 * @category options
 * @since 0.1.0
 */
export interface ProviderSimulatorConfig {
  /** The account that boletos are paid into: digits only, with fixed lengths. */
  readonly boleto?: Partial<SimulatedBoletoBank.IssuerAccount>
  /** The receiver of Pix payments, and the host of charges. */
  readonly pix?: Partial<PixReceiver>
}

/**
 * Like `layer`, with the caller's source of random numbers. With a seeded `SecureRandom` equal calls have equal responses.
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
 * The three providers, the payers and the ledger. Fails if the configuration is malformed.
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
