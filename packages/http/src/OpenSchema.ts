/**
 * The parts of a body's schema.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"

/**
 * A schema with its parts: a struct has fields; a codec or an optional key has the schema of its value.
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
 * Returns true if a field may be absent.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isOptional = (field: Schema.Top): boolean => field.ast.context?.isOptional === true
