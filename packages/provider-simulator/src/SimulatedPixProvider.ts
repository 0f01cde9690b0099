/**
 * A Pix provider that opens dynamic charges, and keeps them in the table `operator_pix`.
 *
 * @since 0.1.0
 */
import * as PixBrCode from "@parcela/core/PixBrCode"
import { DynamicTxid } from "@parcela/core/PixTxid"
import type { PixCharge } from "@parcela/core/PixTransaction"
import { PixProvider, type PixRequest } from "@parcela/engine/PixProvider"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Edge from "./internal/Edge.ts"
import { making } from "./internal/Tables.ts"

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
 * Makes the provider's table where it is missing, and answers a provider over it. Fails when the receiver does not fit
 * into a BR Code.
 *
 * **Details**
 *
 * Opening a transaction again answers the charge that was opened first, also when value, due date or the receiver
 * changed since. The code says where the charge lies; value and due date are there and not in the code. `payer` and
 * `terms` are not kept.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* (options: Partial<PixReceiver> = {}) {
  const { host, merchantCity, merchantName } = { ...defaultReceiver, ...options }
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const send = yield* Edge.make("Pix provider")
  yield* making(sql, setUp(sql))

  const chance = Effect.map(random.randomBytes(16), Hex.encode)
  const locationOf = (token: string) => `${host}/qr/v2/${token}`
  const codeAt = (location: string) =>
    Effect.fromResult(PixBrCode.build({ _tag: "PixDynamic", location, merchantName, merchantCity }))
  // A receiver that does not fit is found here, and not by the first customer.
  yield* codeAt(locationOf("0".repeat(32)))

  const open = Effect.fnUntraced(function* ({ dueDate, transactionId, value }: PixRequest) {
    const location = locationOf(yield* chance)
    const charge: PixCharge = { txid: DynamicTxid.make(yield* chance), qrCode: yield* codeAt(location) }
    yield* sql`
      INSERT INTO operator_pix ${sql.insert({
        transaction_id: transactionId,
        txid: charge.txid,
        location,
        qr_code: charge.qrCode,
        value,
        due_date: dueDate,
        created_at: yield* Clock.currentTimeMillis
      })} ON CONFLICT (transaction_id) DO NOTHING`
    return charge
  })

  const opened = (request: PixRequest) => sql<PixCharge>`
    SELECT txid, qr_code AS "qrCode" FROM operator_pix WHERE transaction_id = ${request.transactionId}`

  const settle = Effect.fnUntraced(function* (request: PixRequest) {
    const [earlier] = yield* opened(request)
    if (earlier !== undefined) return { ...earlier }
    const charge = yield* open(request)
    // Another call may have opened the transaction meanwhile; then its charge counts.
    const [kept] = yield* opened(request)
    return { ...charge, ...kept }
  })

  return PixProvider.of({
    open: Effect.fn("PixProvider.open")((request) => send("open", sql.withTransaction(settle(request))))
  })
})

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = (
  receiver?: Partial<PixReceiver>
): Layer.Layer<PixProvider, SqlError | PixBrCode.PixPartError, SqlClient.SqlClient | SecureRandom.SecureRandom> =>
  Layer.effect(PixProvider, make(receiver))

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = (
  receiver?: Partial<PixReceiver>
): Layer.Layer<PixProvider, SqlError | PixBrCode.PixPartError, SqlClient.SqlClient> =>
  Layer.provide(layerNoDeps(receiver), SecureRandom.layerWebCrypto)

const setUp = (sql: SqlClient.SqlClient) => sql`
  CREATE TABLE IF NOT EXISTS operator_pix (
    transaction_id BIGINT PRIMARY KEY,
    txid TEXT NOT NULL UNIQUE,
    location TEXT NOT NULL UNIQUE,
    qr_code TEXT NOT NULL,
    value BIGINT NOT NULL,
    due_date TEXT NOT NULL,
    created_at BIGINT NOT NULL
  )`
