/**
 * What narrows a list, as conditions of its SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition, DaySpan, TimeSpan } from "@parcela/core/lists/ListDefinition"
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
 * A filter that was given a value.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppliedFilter {
  /** At most so many rows can match; unknown when absent. */
  readonly atMost?: number
  /** The columns that the condition reads. */
  readonly columns: ReadonlyArray<Column>
  /** The column in whose order an index has the rows that match, before that of their identifiers; none when they lie apart. */
  readonly sortedBy?: Column | "id"
  /** A span lists in the order of this column when no order is asked for. */
  readonly spanOf?: Column
  readonly condition: (write: WriteColumn) => string
}

/**
 * What narrows a list of a company, in the order in which its filters are defined: of several spans the first one gives
 * the list its order.
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
  // FilterOf has values where the columns are those of values, and spans where they are those of spans.
  const given = filter as { readonly [name: string]: ReadonlyArray<string | number> | TimeSpan | DaySpan | undefined }
  // The names are those of the definition's filters.
  const found = columns.filters as { readonly [name: string]: ValuesColumn | SpanColumn }
  const applied: Array<AppliedFilter> = []
  const names = Object.keys(given)
  // Of the many filters most lists are given one.
  const inOrder = names.length < 2 ? names : Object.keys(columns.definition.filters)
  for (const name of inOrder) {
    const value = given[name]
    const column = found[name]
    if (value === undefined || column === undefined) continue
    if (column.kind === "within" || column.kind === "either") {
      // A span's column has a span beside it, and a values' column values: ListColumns.
      applied.push(...spanning(builder, column, value as TimeSpan & DaySpan))
      // See above.
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
  ...atMostOf(found, values.length),
  // The rows of one value lie in the order of their identifiers, those of two do not.
  ...(values.length === 1 ? { sortedBy: "id" } : {}),
  condition: conditionOf(builder, companyId, found, values)
})

/** How many rows these values have at most, where that is known. */
const atMostOf = (found: ValuesColumn, values: number): Pick<AppliedFilter, "atMost"> => {
  if (found.kind === "unique") return { atMost: values }
  return "rowsEach" in found && found.rowsEach !== undefined ? { atMost: values * found.rowsEach } : {}
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

/** Equality with a single value: the databases look up no list for it. */
const oneOf = (builder: Builder, column: string, values: ReadonlyArray<string | number>): string => {
  const [value, ...more] = values
  return value === undefined || more.length > 0
    ? `${column} IN ${placeholders(builder, values)}`
    : `${column} = ${builder.dialect.equal(builder.bind(value))}`
}

/** Among `ids`: as an array where there is one, since PostgreSQL may make a join of a subquery that reads everything. */
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
  // A myId is one row, which the database cannot know from IN: equality keeps the order of the index.
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
  // A change is never before the creation: with one end, one column says it all.
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
