/**
 * A denial in the words of the card's brand.
 *
 * @since 0.1.0
 */
import * as AbecsCode from "@parcela/core/cards/AbecsCode"
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import * as Option from "effect/Option"

/** The codes that the simulated operator uses, as all brands but American Express write them. */
export type Code = "14" | "41" | "51" | "54"

// American Express has numbers of its own (ABECS Normativo 21).
const amexCodes: Readonly<Record<Code, string>> = { "14": "122", "41": "200", "51": "121", "54": "101" }

/**
 * Code and message of a denial. A brand that is unknown, or has no code list, speaks like Visa.
 *
 * @category getters
 * @since 0.1.0
 */
export const denial = (code: Code, brand: CardBrandId | null): { readonly code: string; readonly message: string } => {
  const written = brand === "amex" ? amexCodes[code] : code
  const known = Option.orElse(AbecsCode.lookup(brand ?? "visa", written), () => AbecsCode.lookup("visa", written))
  return { code: written, message: Option.match(known, { onNone: () => "Denied", onSome: ({ message }) => message }) }
}
