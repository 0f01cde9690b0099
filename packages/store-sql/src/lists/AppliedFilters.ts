/**
 * The filters of a list request as SQL conditions.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { DaySpan, FilterOf, ListDefinition, TimeSpan } from "@parcela/core/lists/ListDefinition"
import { type Builder, placeholders } from "../sql/Statement.ts"
import {
  type Column,
  id,
  type ListColumns,
  type ListedRows,
  type SpanColumn,
  type ValuesColumn,
  type WriteColumn
} from "./ListColumns.ts"

/**
 * A filter of a request, with its condition.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppliedFilter {
  /** The most rows that can match; absent if unknown. */
  readonly maxRows?: number
  /** The columns that the condition reads. */
  readonly columns: ReadonlyArray<Column>
  /** The column by which an index sorts the matching rows, before their identifiers. Absent if the rows are not adjacent in the index. */
  readonly sortedBy?: Column | "id"
  /** The default order of a list with a filter by a span. */
  readonly spanOf?: Column
  readonly condition: (write: WriteColumn) => string
}

/**
 * The filters of a request, in the order of their definitions: the first of several spans sets the default order.
 *
 * @category conversions
 * @since 0.1.0
 */
export const appliedFilters = <D extends ListDefinition>(
  builder: Builder,
  columns: ListColumns<D>,
  companyId: CompanyId,
  filter: FilterOf<D>
): ReadonlyArray<AppliedFilter> => {
  // `FilterOf` has values for columns of values, and spans for columns of spans.
  const given = filter as { readonly [name: string]: ReadonlyArray<string | number> | TimeSpan | DaySpan | undefined }
  // The names are those of the definition's filters.
  const found = columns.filters as { readonly [name: string]: ValuesColumn | SpanColumn }
  const applied: Array<AppliedFilter> = []
  const names = Object.keys(given)
  // Most requests have one filter.
  const inOrder = names.length < 2 ? names : Object.keys(columns.definition.filters)
  for (const name of inOrder) {
    const value = given[name]
    const column = found[name]
    if (value === undefined || column === undefined) continue
    if (column.kind === "within" || column.kind === "either") {
      // `ListColumns` has a span for each column of spans, and values for each column of values.
      applied.push(...spanning(builder, column, value as TimeSpan & DaySpan))
      // As above.
    } else applied.push(having(builder, companyId, column, value as ReadonlyArray<string | number>))
  }
  return applied
}

const having = (
  builder: Builder,
  companyId: CompanyId,
  found: ValuesColumn,
  values: ReadonlyArray<string | number>
): AppliedFilter => ({
  columns: found.kind === "computed" ? found.columns : [found.kind === "listed" ? id : found.column],
  ...maxRowsOf(found, values.length),
  // An index sorts the rows of one value by their identifiers, but not those of two.
  ...(values.length === 1 ? { sortedBy: "id" } : {}),
  condition: conditionOf(builder, companyId, found, values)
})

/** The most rows of these values, if known. */
const maxRowsOf = (found: ValuesColumn, values: number): Pick<AppliedFilter, "maxRows"> => {
  if (found.kind === "unique") return { maxRows: values }
  return "maxRowsEach" in found && found.maxRowsEach !== undefined ? { maxRows: values * found.maxRowsEach } : {}
}

const conditionOf = (
  builder: Builder,
  companyId: CompanyId,
  found: ValuesColumn,
  values: ReadonlyArray<string | number>
): AppliedFilter["condition"] => {
  switch (found.kind) {
    case "unique":
    case "equal":
      return (write) => oneOf(builder, write(found.column), values)
    case "reference":
      return (write) => referring(builder, companyId, write(found.column), found.table, values)
    case "listed":
      return (write) => listing(builder, companyId, write(id), found.rows, values)
    case "computed":
      return (write) => found.condition(write, { builder, companyId, values })
  }
}

/** Compares a single value by equality, which is faster than a list. */
const oneOf = (builder: Builder, column: string, values: ReadonlyArray<string | number>): string => {
  const [value, ...more] = values
  return value === undefined || more.length > 0
    ? `${column} IN ${placeholders(builder, values)}`
    : `${column} = ${builder.dialect.equal(builder.bind(value))}`
}

/** The column is in `ids`. PostgreSQL gets an array, because it may turn a subquery into a join that reads all rows. */
const among = ({ dialect }: Builder, column: string, ids: string): string =>
  dialect.isPostgres ? `${column} = ANY (ARRAY(${ids}))` : `${column} IN (${ids})`

const listing = (
  builder: Builder,
  companyId: CompanyId,
  column: string,
  { column: value, found, refers, table }: ListedRows,
  values: ReadonlyArray<string | number>
): string => {
  const wanted = values.map((one) => found(String(one)))
  const ids = `SELECT ${refers} FROM ${table}
    WHERE company_id = ${builder.bind(companyId)} AND ${value} IN ${placeholders(builder, wanted)}`
  return among(builder, column, ids)
}

const referring = (
  builder: Builder,
  companyId: CompanyId,
  column: string,
  table: string,
  myIds: ReadonlyArray<string | number>
): string => {
  const ids = `SELECT id FROM ${table} WHERE company_id = ${builder.bind(companyId)} AND my_id IN ${placeholders(builder, myIds)}`
  // A `myId` has one row, but the database cannot know that for IN. Equality keeps the order of the index.
  return myIds.length === 1 ? `${column} = (${ids})` : among(builder, column, ids)
}

const spanning = ({ bind }: Builder, found: SpanColumn, span: TimeSpan & DaySpan): ReadonlyArray<AppliedFilter> => {
  const { before, from, to } = span
  if (from === undefined && before === undefined && to === undefined) return []
  const lies = (column: Column) => (write: WriteColumn) =>
    [
      ...(from === undefined ? [] : [`${write(column)} >= ${bind(from)}`]),
      ...(before === undefined ? [] : [`${write(column)} < ${bind(before)}`]),
      ...(to === undefined ? [] : [`${write(column)} <= ${bind(to)}`])
    ].join(" AND ")
  if (found.kind === "within") {
    const { column } = found
    return [{ columns: [column], sortedBy: column, spanOf: column, condition: lies(column) }]
  }
  const { created, updated } = found
  // A row never changes before its creation, so a span with one end needs one column.
  if (before === undefined) {
    return [{ columns: [updated], sortedBy: updated, spanOf: updated, condition: lies(updated) }]
  }
  if (from === undefined) return [{ columns: [created], spanOf: updated, condition: lies(created) }]
  return [
    {
      columns: [created, updated],
      spanOf: updated,
      condition: (write) => `((${lies(created)(write)}) OR (${lies(updated)(write)}))`
    }
  ]
}
