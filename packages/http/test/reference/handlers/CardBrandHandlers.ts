/**
 * List card brands.
 *
 * @since 0.1.0
 */
import { cardBrands } from "@parcela/core/cards/CardBrand"
import { Contract } from "@parcela/transport/Contract"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer = HttpApiBuilder.group(Contract, "cardBrands", (handlers) =>
  handlers.handle("list", () => Effect.succeed({ CardBrands: Object.values(cardBrands) }))
)
