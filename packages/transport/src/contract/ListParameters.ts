/**
 * What the contract needs of a list: how its query is read, and how OpenAPI writes it.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"

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
