/**
 * Field descriptions for OpenAPI and the reference page, and fields that several entities share: the active status of
 * plans and cards, and custom fields.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { nonEmptyString, string } from "./Text.ts"

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
 * missing, so this applies to fields outside the interface too.
 *
 * @category documentation
 * @since 0.1.0
 */
export const valueOrNull = <S extends Schema.Constraint>(
  schema: S,
  description: string
): Schema.optionalKey<Schema.NullOr<S>> => described(Schema.optionalKey(Schema.NullOr(schema)), description)

/**
 * Marks a field that identifies the owner of an entity. It does not apply to an entity with an owner of another kind.
 *
 * @category documentation
 * @since 0.1.0
 */
export const ofOwner = <S extends Schema.Top>(field: S): S["Rebuild"] => field.annotateKey({ [ownerKey]: true })

/**
 * True if the field is marked by `ofOwner`.
 *
 * @category documentation
 * @since 0.1.0
 */
export const isOfOwner = ({ context }: SchemaAST.AST): boolean => context?.annotations?.[ownerKey] === true

const ownerKey = "isOfOwner"

/**
 * A custom field: name and value, at most 255 characters each.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ExtraField = Schema.Struct({
  tagName: described(nonEmptyString(255), "Name of the field."),
  tagValue: described(string(255), "Value of the field.")
}).annotate({ identifier: "ExtraField", description: "A custom field of the company." })

/**
 * @category models
 * @since 0.1.0
 */
export type ExtraField = typeof ExtraField.Type

/**
 * The custom fields of an entity, at most 100.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ExtraFields = Schema.Array(ExtraField).check(Schema.isMaxLength(100, { expected: "at most 100 fields" }))

/**
 * @category models
 * @since 0.1.0
 */
export type ExtraFields = typeof ExtraFields.Type

/**
 * A field in a filter: its name, a full stop and its value.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TagAndValue = string(511).check(
  Schema.isPattern(/^[^.]+\..*$/su, { expected: "a name, a full stop and a value" })
)

/**
 * The text with which a filter finds a field.
 *
 * @category conversions
 * @since 0.1.0
 */
export const tagAndValueOf = ({ tagName, tagValue }: ExtraField): string => `${tagName}.${tagValue}`

/**
 * `active` or `inactive`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ActiveStatus = Schema.Literals(["active", "inactive"]).annotate({
  identifier: "ActiveStatus",
  description: "active: it can be used; inactive: it was deactivated."
})

/**
 * @category models
 * @since 0.1.0
 */
export type ActiveStatus = typeof ActiveStatus.Type
