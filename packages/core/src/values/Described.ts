/**
 * Field descriptions for OpenAPI and the reference page.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Adds a description, with the unit if there is one: `described(Cents, "The amount, in cents.")`.
 *
 * **Details**
 *
 * The description belongs to the field, not to its schema. A schema that many fields share therefore stays one
 * component of the OpenAPI document.
 *
 * @category documentation
 * @since 0.1.0
 */
export const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description })

/**
 * A field that responses always contain, with a value or with `null`. Some clients of the family fail if a field is
 * missing, so fields outside the interface are not left out either.
 *
 * @category documentation
 * @since 0.1.0
 */
export const valueOrNull = <S extends Schema.Constraint>(
  schema: S,
  description: string
): Schema.optionalKey<Schema.NullOr<S>> => described(Schema.optionalKey(Schema.NullOr(schema)), description)
