/**
 * The `type` of responses.
 *
 * @since 0.1.0
 */
import { described } from "@parcela/core/values/Fields"
import * as Schema from "effect/Schema"

/**
 * @category schemas
 * @since 0.1.0
 */
export const done = described(Schema.Literal(true), "True: the action succeeded.")

/**
 * The response of operations that return no entity.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DoneResponse = Schema.Struct({ type: done }).annotate({
  identifier: "DoneResponse",
  description: "The action succeeded."
})
