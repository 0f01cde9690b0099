/**
 * Lists payment methods.
 *
 * @since 0.1.0
 */
import { paymentMethods } from "@parcela/core/paymentMethods/PaymentMethod"
import type { PaymentMethodsGroup } from "@parcela/transport/contract/PaymentMethods"
import * as Effect from "effect/Effect"
import type { Operations } from "../ContractRoutes.ts"

/**
 * @category operations
 * @since 0.1.0
 */
export const make: Effect.Effect<Operations<typeof PaymentMethodsGroup>> = Effect.succeed({
  "paymentMethods.list": () => Effect.succeed({ PaymentMethods: paymentMethods })
})
