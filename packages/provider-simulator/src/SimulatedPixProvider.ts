/**
 * A Pix provider that opens dynamic charges, and keeps them in a store of its own.
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
import * as Attempts from "./internal/ProviderRequests.ts"
import * as Registration from "./internal/Registration.ts"
import type { SimulatorStore } from "./SimulatorStore.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Context from "effect/Context"
import * as Hex from "effect/encoding/Hex"

const Outcome = Schema.Union([Schema.TaggedStruct("PixOpened", { charge: PixCharge }), Attempts.FinallyDenied])

/**
 * A provider over the providers' store. Fails when the receiver does not fit into a BR Code.
 *
 * **Details**
 *
 * Opening a transaction again returns the charge that was opened first, also when value, due date or the receiver
 * changed since. The code has the address of the charge; value and due date are there and not in the code. `payer` is not
 * kept. What was paid (see `Payers`) is not cancelled any more.
 */
const make = Effect.fnUntraced(function* (options: Partial<PixReceiver> = {}) {
  const { newToken, place } = yield* makeLocations({ ...defaultReceiver, ...options })

  const merchantOf = yield* PixMerchants

  const create = Effect.fnUntraced(function* ({ companyId }: PixRequest) {
    const { location, qrCode } = yield* place(yield* merchantOf(companyId))
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
 * Who is paid, as a code names it.
 *
 * @category models
 * @since 0.1.0
 */
export interface PixMerchant {
  /** At most 25 characters once accents are taken off. */
  readonly merchantName: string
  /** At most 15 characters once accents are taken off. */
  readonly merchantCity: string
}

/**
 * Who is paid, and where charges lie.
 *
 * @category options
 * @since 0.1.0
 */
export interface PixReceiver extends PixMerchant {
  /** Where charges lie: a host, with a port if need be, of at most 38 characters and without `https://`. */
  readonly host: string
}

/**
 * The merchant of each company: that of the receiver where it is undefined.
 *
 * @category references
 * @since 0.1.0
 */
export const PixMerchants = Context.Reference<
  (companyId: CompanyId) => Effect.Effect<PixMerchant | undefined, StoreError>
>("@parcela/provider-simulator/PixMerchants", { defaultValue: () => () => Effect.succeed(undefined) })

/**
 * A receiver whose charges lie at a host that can never exist (RFC 2606).
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
 * Locations at the receiver's host that nobody guesses. Fails when the receiver does not fit into a BR Code: here, and not with the first customer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLocations = Effect.fnUntraced(function* ({ host, merchantCity, merchantName }: PixReceiver) {
  const random = yield* SecureRandom.SecureRandom
  const newToken = Effect.map(random.randomBytes(16), Hex.encode)
  const placeAt = (name: string, merchant: PixMerchant = { merchantName, merchantCity }) => {
    const location = `${host}/qr/v2/${name}`
    return Effect.map(Effect.fromResult(PixBrCode.build({ _tag: "PixDynamic", location, ...merchant })), (qrCode) => ({
      location,
      qrCode
    }))
  }
  yield* placeAt("0".repeat(32))
  return {
    /** 32 hexadecimal digits. */
    newToken,
    /** A location of its own for a charge, and the code that leads there; it names the receiver where no merchant is given. */
    place: (merchant?: PixMerchant) => Effect.flatMap(newToken, (name) => placeAt(name, merchant))
  }
})
