/**
 * Custom fields of a company on a customer, subscription or charge. Source: public use, which documents the names
 * `tagName` and `tagValue`. The limit of 255 characters is inferred from other texts of the interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "./Described.ts"
import { nonEmptyString, string } from "./Text.ts"

/**
 * A custom field: name and value, at most 255 characters each.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ExtraField = Schema.Struct({
  tagName: described(nonEmptyString(255), "Name of the field."),
  tagValue: described(string(255), "Value of the field.")
}).annotate({ identifier: "ExtraField", description: "A field of the company's own." })

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
