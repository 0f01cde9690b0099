/**
 * What the contract needs of a list: how its query is read, and how OpenAPI writes it. Both are derived from the list's
 * definition.
 *
 * @since 0.1.0
 */
import { type ListDefinition, maximumItems, maximumStartAt } from "@parcela/core/lists/ListDefinition"
import type { ListFilter } from "@parcela/core/lists/ListFilter"
import { listQuery, type ListQueryCodec, orderTerms } from "@parcela/core/lists/ListQuery"
import * as Schema from "effect/Schema"

/**
 * The query of a list. `parameters` says by name how OpenAPI writes what the schema reads as text.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListParameters<Query extends Schema.Top = Schema.Top> {
  readonly query: Query
  readonly parameters: { readonly [name: string]: object }
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const listParameters = <const D extends ListDefinition>(definition: D): ListParameters<ListQueryCodec<D>> => ({
  query: listQuery(definition),
  parameters: {
    startAt: { schema: { type: "integer", minimum: 0, maximum: maximumStartAt }, example: 0 },
    limit: { schema: { type: "integer", minimum: 1, maximum: maximumItems }, example: 10 },
    ...Object.fromEntries(
      Object.entries(definition.filters).flatMap(([name, filter]) => Object.entries(written(name, filter)))
    ),
    order: {
      ...joined({ type: "string", enum: Object.keys(orderTerms(definition.orders)) }),
      example: [`${definition.orders[0]}.desc`]
    }
  }
})

const written = (name: string, filter: ListFilter): { readonly [name: string]: object } =>
  filter.kind === "values"
    ? { [name]: { ...joined(itemOf(filter.value)), example: [sampleOf(filter.value, filter.example)] } }
    : { [`${name}From`]: { example: filter.example }, [`${name}To`]: { example: filter.example } }

const joined = (items: object) => ({
  style: "form",
  explode: false,
  schema: { type: "array", minItems: 1, maxItems: maximumItems, items }
})

/** One value: the component of its name, or itself. */
const itemOf = (value: Schema.Constraint): object => {
  const { identifier } = Schema.resolveAnnotations(value) ?? {}
  return identifier === undefined
    ? Schema.toJsonSchemaDocument(value).schema
    : { $ref: `#/components/schemas/${identifier}` }
}

const sampleOf = (value: Schema.Constraint, example: string) =>
  Schema.toEncoded(value).ast._tag === "Number" ? Number(example) : example
