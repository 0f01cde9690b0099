/**
 * Lists card brands.
 *
 * @since 0.1.0
 */
import { cardBrands } from "@parcela/core/cards/CardBrand"
import type { CardBrandsGroup } from "@parcela/transport/contract/CardBrands"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof CardBrandsGroup>> = Effect.succeed({
  "cardBrands.list": () => Effect.succeed({ CardBrands: Object.values(cardBrands) })
})
