/**
 * Types for the columns of a list's filters and orders. Each filter and each order of the list's definition has an entry: a missing entry
 * does not compile.
 *
 * **Details**
 *
 * Every column has an index of its own: `(company_id, column, id)`. A test checks this.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ListDefinition, ListFilter, OrderOf, ValuesFilter } from "@parcela/core/lists/ListDefinition"
import type { Builder } from "../sql/Statement.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Column {
  readonly name: string
  readonly type: "text" | "integer"
}

/** The most rows of a value, if they are few: then the index of the filter is always used, and no rows are counted. */
interface Few {
  readonly maxRowsEach?: number
}

/**
 * The columns of a filter by values.
 *
 * - `unique`: each value has at most one row
 * - `equal`: the column has one of the values
 * - `reference`: the column refers to the rows of `table` whose `my_id` is one of the values
 * - `listed`: rows of `table`, of which an entity may have several, refer to it and have one of the values
 * - `computed`: a condition over these columns; the first column has an index
 *
 * @category models
 * @since 0.1.0
 */
export type ValuesColumn =
  | { readonly kind: "unique"; readonly column: Column }
  | ({ readonly kind: "equal"; readonly column: Column } & Few)
  | ({ readonly kind: "reference"; readonly column: Column; readonly table: string } & Few)
  | { readonly kind: "listed"; readonly rows: ListedRows }
  | { readonly kind: "computed"; readonly columns: ReadonlyArray<Column>; readonly condition: Computed }

/**
 * A lookup table: `refers` is the column with the entity's identifier, and `found` converts a value to that of `column`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ListedRows {
  readonly table: string
  readonly refers: string
  readonly column: string
  readonly found: (value: string) => string
}

/**
 * Builds the condition that a row of the company has one of the values.
 *
 * @category models
 * @since 0.1.0
 */
export type Computed = (
  write: WriteColumn,
  context: {
    readonly builder: Builder
    readonly companyId: CompanyId
    readonly values: ReadonlyArray<string | number>
  }
) => string

/**
 * Writes a column, either by its name or as an expression that no index serves.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteColumn = (column: Column) => string

/**
 * The columns of a filter by a span.
 *
 * - `within`: the column is in the span
 * - `either`: the time of creation or of the last change is in the span; the last change is never before the creation
 *
 * @category models
 * @since 0.1.0
 */
export type SpanColumn =
  | { readonly kind: "within"; readonly column: Column }
  | { readonly kind: "either"; readonly created: Column; readonly updated: Column }

type ColumnOf<F extends ListFilter> = F extends ValuesFilter<unknown> ? ValuesColumn : SpanColumn

/**
 * @category models
 * @since 0.1.0
 */
export interface ListColumns<out D extends ListDefinition = ListDefinition> {
  readonly definition: D
  readonly filters: { readonly [Name in keyof D["filters"]]: ColumnOf<D["filters"][Name]> }
  readonly orders: { readonly [Field in OrderOf<D>]: Column }
}

/**
 * @category columns
 * @since 0.1.0
 */
export const text = (name: string): Column => ({ name, type: "text" })

/**
 * @category columns
 * @since 0.1.0
 */
export const integer = (name: string): Column => ({ name, type: "integer" })

/**
 * @category columns
 * @since 0.1.0
 */
export const unique = (column: Column): ValuesColumn => ({ kind: "unique", column })

/**
 * @category columns
 * @since 0.1.0
 */
export const equal = (column: Column, few: Few = {}): ValuesColumn => ({ kind: "equal", column, ...few })

/**
 * @category columns
 * @since 0.1.0
 */
export const reference = (column: Column, table: string, few: Few = {}): ValuesColumn => ({
  kind: "reference",
  column,
  table,
  ...few
})

/**
 * @category columns
 * @since 0.1.0
 */
export const listed = (rows: ListedRows): ValuesColumn => ({ kind: "listed", rows })

/**
 * @category columns
 * @since 0.1.0
 */
export const computed = (columns: ReadonlyArray<Column>, condition: Computed): ValuesColumn => ({
  kind: "computed",
  columns,
  condition
})

/**
 * @category columns
 * @since 0.1.0
 */
export const within = (column: Column): SpanColumn => ({ kind: "within", column })

/**
 * @category columns
 * @since 0.1.0
 */
export const either = (created: Column, updated: Column): SpanColumn => ({ kind: "either", created, updated })

/**
 * The identifier, the last term of every order.
 *
 * @category columns
 * @since 0.1.0
 */
export const id: Column = integer("id")

/**
 * The columns of the filters that every entity has.
 *
 * @category columns
 * @since 0.1.0
 */
export const identifiers = { svcPayIds: unique(id), myIds: unique(text("my_id")) } as const
