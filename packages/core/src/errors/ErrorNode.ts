/**
 * The error node of every failed response (interface section 7).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "../values/Described.ts"
import { string } from "../values/Text.ts"

/**
 * All problems by `Entity.field`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorDetails = Schema.Record(Schema.String, Schema.Array(Schema.String)).annotate({
  identifier: "ErrorDetails",
  description: "Every problem, by the Entity.field where it is."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorDetails = typeof ErrorDetails.Type

/**
 * An error response. `message` has at most 255 characters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ErrorNode = Schema.Struct({
  error: described(
    Schema.Struct({
      message: described(string(255), "The problem, in a sentence."),
      details: described(Schema.optionalKey(ErrorDetails), "Every problem, by the Entity.field where it is.")
    }).annotate({ identifier: "Problem", description: "The problem and its location." }),
    "The problem."
  )
})

/**
 * @category models
 * @since 0.1.0
 */
export type ErrorNode = typeof ErrorNode.Type
