/**
 * In how many instalments the holder of a card may pay: its brand says (interface section 2.7, `maxInstallment`).
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { refuse, type RefusedBy } from "../errors/BillingError.ts"
import type { CardTerms } from "../paymentMethods/CardTerms.ts"
import { cardBrands } from "./CardBrand.ts"
import type { CardState } from "./CardState.ts"

/**
 * Refuses more instalments than the brand of a card allows, and none at all. Without a card, or a number of instalments,
 * there is nothing to refuse.
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
