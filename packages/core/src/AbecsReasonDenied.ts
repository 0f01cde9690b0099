/**
 * Why a card was refused, in the words of the Brazilian card industry (interface section 2.5).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { string } from "./Text.ts"

/**
 * Code of at most 4 characters, usually 2, and its message.
 *
 * @category schemas
 * @since 0.1.0
 */
export const AbecsReasonDenied = Schema.Struct({
  code: string(4),
  message: string(255)
})

/**
 * @category models
 * @since 0.1.0
 */
export type AbecsReasonDenied = typeof AbecsReasonDenied.Type
