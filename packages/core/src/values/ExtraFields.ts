/**
 * Fields of the company's own on a customer, subscription or charge. Source: public use: the names
 * `tagName` and `tagValue` are documented; that each holds 255 characters is inferred from the interface's other texts.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { described } from "./Described.ts"
import { nonEmptyString, string } from "./Text.ts"

/**
 * One field: a name and a text of at most 255 characters each.
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
 * The fields of one entity, each a name and a value; at most 100.
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
 * A field as a filter names it: its name, a full stop and its value.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TagAndValue = string(511).check(
  Schema.isPattern(/^[^.]+\..*$/su, { expected: "a name, a full stop and a value" })
)

/**
 * The text that a filter finds a field by.
 *
 * @category conversions
 * @since 0.1.0
 */
export const tagAndValueOf = ({ tagName, tagValue }: ExtraField): string => `${tagName}.${tagValue}`
