/**
 * A Pix provider that opens dynamic charges, and keeps them in a store of its own.
 *
 * @since 0.1.0
 */
import type * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { DynamicTxid } from "@parcela/core/pix/PixTxid"
import { PixCharge } from "@parcela/core/transactions/PixTransaction"
import { type PixOutcome, PixProvider, type PixRequest } from "@parcela/engine/ports/PixProvider"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Attempts from "./internal/Attempts.ts"
import * as PixLocations from "./internal/PixLocations.ts"
import * as Registration from "./internal/Registration.ts"
import { defaultReceiver, PixMerchants, type PixReceiver } from "./PixReceiver.ts"
import type { SimulatorStore } from "./SimulatorStore.ts"

const Outcome = Schema.Union([Schema.TaggedStruct("PixOpened", { charge: PixCharge }), Attempts.DeniedForGood])

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
  const { newToken, place } = yield* PixLocations.make({ ...defaultReceiver, ...options })

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
