/**
 * A Pix provider that opens dynamic charges, and keeps them in a store of its own.
 *
 * @since 0.1.0
 */
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { DynamicTxid } from "@parcela/core/pix/PixTxid"
import { PixCharge } from "@parcela/core/transactions/PixTransaction"
import { type PixOutcome, PixProvider, type PixRequest } from "@parcela/engine/ports/PixProvider"
import type { ProviderRefusal } from "@parcela/core/attempts/AttemptOutcome"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Attempts from "./internal/Attempts.ts"
import * as Cancellation from "./internal/Cancellation.ts"
import * as Requests from "./internal/Requests.ts"
import type { LedgerEffect } from "./ProviderLedger.ts"
import { SimulatorStore } from "./SimulatorStore.ts"

const Outcome = Schema.fromJsonString(
  Schema.Union([Schema.TaggedStruct("PixOpened", { charge: PixCharge }), Attempts.Refused])
)

/**
 * Who is paid, and where charges lie.
 *
 * @category options
 * @since 0.1.0
 */
export interface PixReceiver {
  /** Where charges lie: a host, with a port if need be, of at most 38 characters and without `https://`. */
  readonly host: string
  /** At most 25 characters once accents are taken off. */
  readonly merchantName: string
  /** At most 15 characters once accents are taken off. */
  readonly merchantCity: string
}

/**
 * A receiver whose charges lie at a host that can never exist (RFC 2606).
 *
 * @category options
 * @since 0.1.0
 */
export const defaultReceiver: PixReceiver = {
  host: "pix.parcela.example",
  merchantName: "Parcela Sandbox",
  merchantCity: "Sao Paulo"
}

/**
 * A provider over the providers' store. Fails when the receiver does not fit into a BR Code.
 *
 * **Details**
 *
 * Opening a transaction again answers the charge that was opened first, also when value, due date or the receiver
 * changed since. The code says where the charge lies; value and due date are there and not in the code. `payer` and
 * `terms` are not kept. No charge is ever paid, so that every one can be cancelled.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (options: Partial<PixReceiver> = {}) {
  const { host, merchantCity, merchantName } = { ...defaultReceiver, ...options }
  const sql = yield* SimulatorStore
  const random = yield* SecureRandom.SecureRandom
  const receive = yield* Requests.make("Pix provider")
  const attempts = yield* Attempts.make(Outcome)
  const cancel = yield* Cancellation.make("pix_charges")

  const chance = Effect.map(random.randomBytes(16), Hex.encode)
  const locationOf = (token: string) => `${host}/qr/v2/${token}`
  const codeAt = (location: string) =>
    Effect.fromResult(PixBrCode.build({ _tag: "PixDynamic", location, merchantName, merchantCity }))
  // A receiver that does not fit is found here, and not by the first customer.
  yield* codeAt(locationOf("0".repeat(32)))

  const opened = ({ transactionId }: PixRequest) => sql<PixCharge>`
    SELECT txid, qr_code AS "qrCode" FROM pix_charges WHERE transaction_id = ${transactionId}`

  const insert = Effect.fnUntraced(function* ({ companyId, dueDate, transactionId, value }: PixRequest) {
    const location = locationOf(yield* chance)
    const charge: PixCharge = { txid: DynamicTxid.make(yield* chance), qrCode: yield* codeAt(location) }
    const inserted = yield* sql`
      INSERT INTO pix_charges ${sql.insert({
        transaction_id: transactionId,
        company_id: companyId,
        txid: charge.txid,
        location,
        qr_code: charge.qrCode,
        value,
        due_date: dueDate,
        created_at: yield* Clock.currentTimeMillis
      })} ON CONFLICT (transaction_id) DO NOTHING RETURNING txid`
    return { charge, isNew: inserted.length > 0 }
  })

  const issue = Effect.fnUntraced(function* (request: PixRequest, planned: ProviderRefusal | undefined) {
    const issued = (charge: PixCharge, effect: LedgerEffect): Attempts.Fresh<PixOutcome> => ({
      outcome: { _tag: "PixOpened", charge },
      effect
    })
    if (planned !== undefined) return { outcome: planned, effect: "none" } satisfies Attempts.Fresh<PixOutcome>
    const [earlier] = yield* opened(request)
    if (earlier !== undefined) return issued({ ...earlier }, "none")
    const { charge, isNew } = yield* insert(request)
    if (isNew) return issued(charge, "registered")
    // Another request opened the transaction meanwhile: its charge counts.
    const [kept] = yield* opened(request)
    return issued({ ...charge, ...kept }, "none")
  })

  const open = Effect.fnUntraced(function* (request: PixRequest, planned: ProviderRefusal | undefined) {
    const { outcome, ...rest } = yield* attempts.once({ ...request, kind: "open" }, issue(request, planned))
    const decision: Requests.Decision<PixOutcome> = {
      ...rest,
      answer: outcome,
      outcome: outcome._tag,
      code: outcome._tag === "Refused" ? outcome.code : undefined,
      reference: outcome._tag === "PixOpened" ? outcome.charge.txid : undefined
    }
    return decision
  })

  return PixProvider.of({
    open: Effect.fn("PixProvider.open")((request) =>
      receive({ ...request, kind: "open" }, (planned) => open(request, planned))
    ),
    cancel: Effect.fn("PixProvider.cancel")((request) =>
      receive({ ...request, kind: "cancel" }, (planned) => cancel(request, planned))
    )
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
