/**
 * Payments that were entered as paid outside the service.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { common } from "../internal/transactionFields.ts"

/**
 * Paid in cash or by transfer before it was entered: it has no card, and no provider ever heard of it. One that was
 * open before it was paid outside keeps its method.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OutsideTransaction = Schema.Struct({
  ...common,
  method: Schema.Literal("outside"),
  status: Schema.Literal("payExternal")
})

/**
 * @category models
 * @since 0.1.0
 */
export type OutsideTransaction = typeof OutsideTransaction.Type
