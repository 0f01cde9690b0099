/**
 * The number of card instalments that a brand allows (interface section 2.7, `maxInstallment`).
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { CardTerms } from "../paymentMethods/CardTerms.ts"
import { cardBrands } from "./CardBrand.ts"
import type { CardState } from "./CardState.ts"

/**
 * Refuses a number of instalments below 1 or above the limit of the card's brand. Succeeds without a card. A missing
 * number counts as 1.
 *
 * @category decisions
 * @since 0.1.0
 */
export const withinBrand = (
  card: Pick<CardState, "brand"> | undefined,
  { qtdInstallments = 1 }: Pick<CardTerms, "qtdInstallments"> = {}
): Result.Result<void, RefusedBy<"InstallmentsTooMany">> => {
  if (card === undefined) return Result.succeed(undefined)
  const { maxInstallment: maximum, name: brand } = cardBrands[card.brand]
  return qtdInstallments >= 1 && qtdInstallments <= maximum
    ? Result.succeed(undefined)
    : Result.fail(refuse({ _tag: "InstallmentsTooMany", brand, maximum }))
}
