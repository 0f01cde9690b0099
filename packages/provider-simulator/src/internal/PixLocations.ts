/**
 * Where charges lie, and the codes that lead there.
 *
 * @since 0.1.0
 */
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type { PixMerchant, PixReceiver } from "../PixReceiver.ts"

/**
 * Locations at the receiver's host that nobody guesses. Fails when the receiver does not fit into a BR Code: here, and not with the first customer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* ({ host, merchantCity, merchantName }: PixReceiver) {
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
