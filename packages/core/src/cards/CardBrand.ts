/**
 * Card brands: number ranges and limits of each brand (interface section 2.7, Brand).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Brand } from "./Card.ts"
import type { CardNumber } from "./CardNumber.ts"
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { CardTerms } from "../paymentMethods/CardTerms.ts"

/**
 * The supported brands, with the ids that public clients use.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CardBrandId = Schema.Literals(["discover", "mastercard", "elo", "hipercard", "amex", "visa"])

/**
 * @category models
 * @since 0.1.0
 */
export type CardBrandId = typeof CardBrandId.Type

/**
 * A brand of the interface with a supported id. `operatorIds` is separated by commas without spaces.
 *
 * @category models
 * @since 0.1.0
 */
export type CardBrand = Brand & { readonly id: CardBrandId }

/**
 * The limits of each brand. Neither the interface nor public pages define these numbers: 12 instalments is the usual
 * limit in Brazil, and the operators are those known to accept the brand.
 *
 * @category tables
 * @since 0.1.0
 */
export const cardBrands: Readonly<Record<CardBrandId, CardBrand>> = {
  discover: { id: "discover", name: "Discover", maxInstallment: 12, operatorIds: "cielo,rede" },
  mastercard: { id: "mastercard", name: "Mastercard", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" },
  elo: { id: "elo", name: "Elo", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" },
  hipercard: { id: "hipercard", name: "Hipercard", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" },
  amex: { id: "amex", name: "American Express", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" },
  visa: { id: "visa", name: "Visa", maxInstallment: 12, operatorIds: "cielo,rede,getnet,stone" }
}

/**
 * The number ranges of each brand: leading digits as `first` or `first-last`. The first matching row decides: Elo and
 * Hipercard come first, because they own ranges inside those of Visa, Discover and Diners.
 *
 * **Details**
 *
 * Brands publish no official list for Brazil; public lists agree on these ranges. Discover is 6011, 644 to 649 and 65.
 * UnionPay numbers on Discover's network do not count as Discover.
 *
 * @category tables
 * @since 0.1.0
 */
export const binRanges: ReadonlyArray<readonly [brand: CardBrandId, ranges: string]> = [
  [
    "elo",
    "401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 " +
      "636368-636369 650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 " +
      "650720-650727 650901-650978 651652-651679 655000-655019 655021-655058"
  ],
  ["hipercard", "384100 384140 384160 606282 637095 637568 637599 637609 637612"],
  ["amex", "34 37"],
  ["mastercard", "51-55 222100-272099"],
  ["visa", "4"],
  ["discover", "6011 644-649 65"]
]

/**
 * The brand of a card number; none for an unsupported brand (Diners, JCB, Maestro).
 *
 * **Gotchas**
 *
 * A plain `string` is accepted too, but it must start with at least six digits of the card number.
 *
 * @category getters
 * @since 0.1.0
 */
export const brandOf = (number: CardNumber | string): Option.Option<CardBrandId> => {
  const row = parsedRanges.find(({ first, last }) => {
    const leading = number.slice(0, first.length)
    return leading >= first && leading <= last
  })
  return row === undefined || !/^\d{6}/.test(number) ? Option.none() : Option.some(row.brand)
}

// Digits of equal length compare as text like their numbers.
const parsedRanges = binRanges.flatMap(([brand, ranges]) =>
  ranges.split(" ").map((range) => {
    const [first = range, last = first] = range.split("-")
    return { brand, first, last }
  })
)

/**
 * Refuses a number of instalments below 1 or above the limit of the card's brand. Succeeds without a card. A missing
 * number counts as 1.
 *
 * @category decisions
 * @since 0.1.0
 */
export const withinInstallmentLimit = (
  card: { readonly brand: CardBrandId } | undefined,
  { qtdInstallments = 1 }: Pick<CardTerms, "qtdInstallments"> = {}
): Result.Result<void, RefusedBy<"InstallmentsTooMany">> => {
  if (card === undefined) return Result.succeed(undefined)
  const { maxInstallment: maximum, name: brand } = cardBrands[card.brand]
  return qtdInstallments >= 1 && qtdInstallments <= maximum
    ? Result.succeed(undefined)
    : Result.fail(refuse({ _tag: "InstallmentsTooMany", brand, maximum }))
}
