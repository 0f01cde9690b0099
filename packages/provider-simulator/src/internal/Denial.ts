/**
 * A denial in the words of the card's brand.
 *
 * @since 0.1.0
 */
import type { CardBrandId } from "@parcela/core/cards/CardBrand"
import { meaningOf } from "../CardBehaviour.ts"

/** The codes of cards that cannot be charged whatever they stand for, as all brands but American Express write them. */
type Code = "14" | "54"

// American Express has numbers of its own (ABECS Normativo 21).
const amexCodes: Readonly<Record<Code, string>> = { "14": "122", "54": "101" }

/**
 * Code and message of a denial. A brand that is unknown, or has no code list, speaks like Visa.
 *
 * @category getters
 * @since 0.1.0
 */
export const denial = (code: Code, brand: CardBrandId | null): { readonly code: string; readonly message: string } => {
  const written = brand === "amex" ? amexCodes[code] : code
  return { code: written, message: meaningOf(brand, written) }
}
