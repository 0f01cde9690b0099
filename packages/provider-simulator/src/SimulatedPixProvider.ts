/**
 * A simulated Pix provider of dynamic charges, with their receiver and URLs.
 *
 * @since 0.1.0
 */
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { DynamicTxid } from "@parcela/core/pix/PixIdentifiers"
import { PixCharge } from "@parcela/core/transactions/RegisteredTransaction"
import { type PixOutcome, PixProvider, type PixRequest } from "@parcela/engine/ports/PixProvider"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Requests from "./internal/ProviderRequests.ts"
import * as Registration from "./internal/Registration.ts"
import type { SimulatorStore } from "./SimulatorStore.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Context from "effect/Context"
import * as Hex from "effect/encoding/Hex"

const Outcome = Schema.Union([Schema.TaggedStruct("PixOpened", { charge: PixCharge }), Requests.FinallyDenied])

/**
 * Returns the provider. Fails if the receiver does not fit into a BR Code.
 *
 * **Details**
 *
 * A repeated registration of a transaction returns the first charge, even if value, due date or the receiver changed. The
 * code contains the URL of the charge, not its value and due date. `payer` is not stored. A paid charge (see `Payers`) cannot
 * be cancelled.
 */
const make = Effect.fnUntraced(function* (options: Partial<PixReceiver> = {}) {
  const { newToken, newLocation } = yield* makeLocations({ ...defaultReceiver, ...options })

  const merchantOf = yield* PixMerchants

  const create = Effect.fnUntraced(function* ({ companyId }: PixRequest) {
    const { location, qrCode } = yield* newLocation(yield* merchantOf(companyId))
    const charge: PixCharge = { txid: DynamicTxid.make(yield* newToken), qrCode }
    return Result.succeed({ made: charge, values: [charge.txid, location, charge.qrCode] })
  })
  const charges = yield* Registration.make({
    provider: "Pix provider",
    kind: "open",
    table: "pix_charges",
    columns: ["txid", "location", "qr_code"],
    selected: 'txid, qr_code AS "qrCode"',
    outcomes: Outcome,
    create,
    outcomeOf: (charge): PixOutcome => ({ _tag: "PixOpened", charge }),
    referenceOf: (outcome) => (outcome._tag === "PixOpened" ? outcome.charge.txid : undefined)
  })

  return PixProvider.of({
    open: Spans.fn("PixProvider.open")(charges.register),
    cancel: Spans.fn("PixProvider.cancel")(charges.cancel)
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = (
  receiver?: Partial<PixReceiver>
): Layer.Layer<PixProvider, PixBrCode.PixPartError, SimulatorStore | SecureRandom.SecureRandom> =>
  Layer.effect(PixProvider, make(receiver))

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  receiver?: Partial<PixReceiver>
): Layer.Layer<PixProvider, PixBrCode.PixPartError, SimulatorStore> =>
  Layer.provide(layerNoDeps(receiver), SecureRandom.layerWebCrypto)

/**
 * The receiver in a Pix code.
 *
 * @category models
 * @since 0.1.0
 */
export interface PixMerchant {
  /** At most 25 characters without accents. */
  readonly merchantName: string
  /** At most 15 characters without accents. */
  readonly merchantCity: string
}

/**
 * The receiver of payments, and the host of charges.
 *
 * @category options
 * @since 0.1.0
 */
export interface PixReceiver extends PixMerchant {
  /** The host of charges, with an optional port: at most 38 characters, without `https://`. */
  readonly host: string
}

/**
 * Returns the receiver of a company's payments. If undefined, the configured receiver is used.
 *
 * @category references
 * @since 0.1.0
 */
export const PixMerchants = Context.Reference<
  (companyId: CompanyId) => Effect.Effect<PixMerchant | undefined, StoreError>
>("@parcela/provider-simulator/PixMerchants", { defaultValue: () => () => Effect.succeed(undefined) })

/**
 * A receiver with a reserved host name (RFC 2606), which never exists.
 *
 * @category constants
 * @since 0.1.0
 */
export const defaultReceiver: PixReceiver = {
  host: "pix.parcela.example",
  merchantName: "Parcela Sandbox",
  merchantCity: "Sao Paulo"
}

/**
 * Returns the factory of random charge URLs at the receiver's host. Fails at the start if the receiver does not fit into a BR
 * Code.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLocations = Effect.fnUntraced(function* ({ host, merchantCity, merchantName }: PixReceiver) {
  const random = yield* SecureRandom.SecureRandom
  const newToken = Effect.map(random.randomBytes(16), Hex.encode)
  const locationAt = (name: string, merchant: PixMerchant = { merchantName, merchantCity }) => {
    const location = `${host}/qr/v2/${name}`
    return Effect.map(Effect.fromResult(PixBrCode.build({ _tag: "PixDynamic", location, ...merchant })), (qrCode) => ({
      location,
      qrCode
    }))
  }
  yield* locationAt("0".repeat(32))
  return {
    /** 32 hexadecimal digits. */
    newToken,
    /** Returns a new URL and its code. The code names the merchant, or else the receiver. */
    newLocation: (merchant?: PixMerchant) => Effect.flatMap(newToken, (name) => locationAt(name, merchant))
  }
})
