/**
 * What a schema of a body is made of.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"

/**
 * A schema as it lies open: a struct has fields, a codec and an optional key the schema of their value.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenSchema {
  readonly ast: Schema.Top["ast"]
  readonly fields?: Readonly<Record<string, Schema.Top>>
  readonly schema?: Schema.Top
}

/**
 * Whether a field may be absent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOptional = (field: Schema.Top): boolean => field.ast.context?.isOptional === true
