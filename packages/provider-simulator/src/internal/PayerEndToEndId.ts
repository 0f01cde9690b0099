/**
 * Identifiers of the Pix payments that simulated payers make.
 *
 * @since 0.1.0
 */
import * as PixEndToEndId from "@parcela/core/pix/PixEndToEndId"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"

/** The institution of every payer: no ISPB begins so. */
const ispb = "99999999"

/** A new identifier of a payment at that time. */
export const make = (random: SecureRandom.SecureRandom["Service"], epochMillis: number) =>
  Effect.flatMap(random.randomBytes(6), (bytes) =>
    Effect.fromResult(PixEndToEndId.build({ ispb, epochMillis, sequence: Hex.encode(bytes).slice(1) }))
  )
