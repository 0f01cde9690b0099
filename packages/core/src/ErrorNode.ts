/**
 * What every failing answer carries (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { string } from "./Text.ts"

/**
 * Problems by `Entity.field`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorDetails = Schema.Record(Schema.String, Schema.Array(Schema.String))

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorDetails = typeof ErrorDetails.Type

/**
 * `message` has at most 255 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorNode = Schema.Struct({
  error: Schema.Struct({
    message: string(255),
    details: Schema.optionalKey(ErrorDetails)
  })
})

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorNode = typeof ErrorNode.Type
