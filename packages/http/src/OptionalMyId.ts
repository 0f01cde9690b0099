/**
 * The `myId` of what a request creates: the interface requires it, and clients of another naming may leave it out. Then one
 * is made, as of an instalment that was given none.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { isOptional, type OpenSchema } from "./OpenSchema.ts"

/**
 * The schema of a body without the need of a `myId`; undefined where the body needs none.
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
