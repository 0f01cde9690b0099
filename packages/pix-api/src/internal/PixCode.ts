/**
 * The code that a payer scans or pastes, of a charge as its provider has it.
 *
 * @since 0.1.0
 */
import * as PixBrCode from "@parcela/core/pix/PixBrCode"
import { plainText } from "@parcela/core/pix/PixContent"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Charge } from "../messages/Charge.ts"
import type { PixAccount } from "../PixAccount.ts"

/** The longest code that the interface has room for (section 2.6); API Pix has 512. */
const longest = 255

/**
 * The provider's own code (API Pix 2.6 and later), or one that leads to the charge's location; none without either.
 *
 * @category conversions
 * @since 0.1.0
 */
export const pixCodeOf = (
  { loc, location, pixCopiaECola }: Charge,
  { merchantCity, merchantName }: PixAccount
): Option.Option<string> => {
  if (pixCopiaECola !== undefined && pixCopiaECola.length <= longest) return Option.some(pixCopiaECola)
  const place = location ?? loc?.location
  if (place === undefined) return Option.none()
  return Result.getSuccess(
    PixBrCode.build({
      _tag: "PixDynamic",
      // Written without a scheme; some providers write one.
      location: place.replace(/^https:\/\//u, ""),
      merchantName: plainText(merchantName, 25),
      merchantCity: plainText(merchantCity, 15)
    })
  )
}
