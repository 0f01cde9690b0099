/**
 * What a field means, written on its schema: OpenAPI and the reference page show it.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

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

/**
 * A field that responses always have: with a value, or with `null`. Clients of the family stop at some that are missing, so
 * what the interface does not show is never left out.
 *
 * @category documentation
 * @since 0.1.0
 */
export const valueOrNull = <S extends Schema.Constraint>(
  schema: S,
  description: string
): Schema.optionalKey<Schema.NullOr<S>> => described(Schema.optionalKey(Schema.NullOr(schema)), description)
