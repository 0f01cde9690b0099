/**
 * Schemas as HTML: types of values and lists of fields.
 *
 * @since 0.1.0
 */
import { nameOf, type SchemaNode } from "./DocumentModel.ts"
import { text } from "./Html.ts"

const bounds = (schema: SchemaNode): string => {
  const { exclusiveMinimum, maximum, minimum, maxItems, maxLength, minLength } = schema
  const least = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  if (least !== undefined || maximum !== undefined) return `${least ?? "…"} to ${maximum ?? "…"}`
  if (maxItems !== undefined) return `at most ${maxItems}`
  if (maxLength === undefined) return ""
  return minLength === undefined ? `at most ${maxLength} characters` : `${minLength} to ${maxLength} characters`
}

/** Returns a short description of a value's type, with links to components. */
const kind = (schema: SchemaNode): string => {
  if (schema.$ref !== undefined) {
    const name = text(nameOf(schema.$ref))
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(kind).join(" or ")
  if (schema.enum !== undefined) return schema.enum.map((word) => `<code>${text(String(word))}</code>`).join(", ")
  if (schema.type === "array") {
    const most = bounds(schema)
    return `list of ${schema.items === undefined ? "values" : kind(schema.items)}${most === "" ? "" : `, ${most}`}`
  }
  const summary = [schema.type ?? "any", schema.format ?? "", bounds(schema)].filter((part) => part !== "").join(", ")
  // A date's description explains its format, YYYY-MM-DD, better than a pattern.
  const isExplained = schema.format !== undefined || schema.description?.includes("YYYY") === true
  return schema.pattern === undefined || isExplained
    ? text(summary)
    : `${text(summary)}, <code class="pattern">${text(schema.pattern)}</code>`
}

/** Returns one row: name, type, a mark for required fields, and description. */
export const row = (name: string, schema: SchemaNode, isRequired: boolean, description?: string): string =>
  `<div class="field"><dt><code>${text(name)}</code> <span class="kind">${kind(schema)}</span>${
    isRequired ? ' <span class="required">required</span>' : ""
  }</dt><dd>${text(description ?? schema.description ?? "")}</dd></div>`

/** Returns the fields of an object, the alternatives of a union or the values of an enumeration. */
export const fields = (schema: SchemaNode): string => {
  if (schema.properties !== undefined) {
    const required = new Set(schema.required)
    const rows = Object.entries(schema.properties).map(([name, field]) => row(name, field, required.has(name)))
    return `<dl class="fields">${rows.join("")}</dl>`
  }
  return `<p class="kind">${kind({ ...schema })}</p>`
}
