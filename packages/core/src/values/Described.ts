/**
 * What a field means, written on its schema: OpenAPI and the reference page show it.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"

/**
 * The field with its meaning and, where it has one, its unit: `described(Cents, "The amount, in cents.")`.
 *
 * **Details**
 *
 * The description belongs to the field and not to its schema, so that a schema shared by many fields stays one
 * component of the OpenAPI document.
 *
 * @category documentation
 * @since 0.1.0
 */
export const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })
