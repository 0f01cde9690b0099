/**
 * The query parameters of a list in OpenAPI, derived from the list's definition.
 *
 * @since 0.1.0
 */
import { type ListDefinition, maxItems, maxStartAt, type ListFilter } from "@parcela/core/lists/ListDefinition"
import { orderTerms } from "@parcela/core/lists/ListQuery"
import * as Schema from "effect/Schema"

/**
 * The OpenAPI description of each query parameter, by name.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListParameters {
  readonly [parameter: string]: object
}

/**
 * Returns the parameters of a list. The query schema decodes text, which the generator documents as plain strings;
 * these descriptions add the actual types.
 *
 * @category constructors
 * @since 0.1.0
 */
export const parametersOf = (definition: ListDefinition): ListParameters => ({
  startAt: { schema: { type: "integer", minimum: 0, maximum: maxStartAt }, example: 0 },
  limit: { schema: { type: "integer", minimum: 1, maximum: maxItems }, example: 10 },
  ...Object.fromEntries(
    Object.entries(definition.filters).flatMap(([name, filter]) => Object.entries(written(name, filter)))
  ),
  order: {
    ...joined({ type: "string", enum: Object.keys(orderTerms(definition.orders)) }),
    example: [`${definition.orders[0]}.desc`]
  }
})

const written = (name: string, filter: ListFilter): { readonly [name: string]: object } =>
  filter.kind === "values"
    ? { [name]: { ...joined(itemOf(filter.value)), example: [sampleOf(filter.value, filter.example)] } }
    : { [`${name}From`]: { example: filter.example }, [`${name}To`]: { example: filter.example } }

const joined = (items: object) => ({
  style: "form",
  explode: false,
  schema: { type: "array", minItems: 1, maxItems: maxItems, items }
})

/** Returns a reference to the schema's component, or the schema itself. */
const itemOf = (value: Schema.Constraint): object => {
  const { identifier } = Schema.resolveAnnotations(value) ?? {}
  return identifier === undefined
    ? Schema.toJsonSchemaDocument(value).schema
    : { $ref: `#/components/schemas/${identifier}` }
}

const sampleOf = (value: Schema.Constraint, example: string) =>
  Schema.toEncoded(value).ast._tag === "Number" ? Number(example) : example
