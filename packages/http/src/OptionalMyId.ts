/**
 * Optional `myId` of created entities. The interface requires `myId`, but clients of another naming profile may leave
 * it out; the server then creates one, as for instalments without one.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { isOptional, type OpenSchema } from "./OpenSchema.ts"

/**
 * Returns the schema of a body with an optional `myId`, or undefined if the body does not require `myId`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withOptionalMyId = (body: Schema.Top): Schema.Top | undefined => {
  const { ast, fields, schema }: OpenSchema = body
  if (fields === undefined) return schema && withOptionalMyId(schema)
  const { myId } = fields
  if (myId === undefined || isOptional(myId)) return undefined
  return Schema.Struct({ ...fields, myId: Schema.optionalKey(myId) }).annotate(ast.annotations ?? {})
}
