/**
 * What narrows a list, as conditions of its SQL.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition } from "@parcela/core/lists/ListDefinition"
import type { DaySpan, TimeSpan } from "@parcela/core/lists/ListFilter"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
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
export interface Narrowing {
  /** At most so many rows can match; unknown when absent. */
  readonly atMost?: number
  /** The columns that the condition reads. */
  readonly columns: ReadonlyArray<Column>
  /** The column in whose order an index has the rows that match, before that of their identifiers; none when they lie apart. */
  readonly sortedBy?: Column | "id"
  /** A span lists in the order of this column when no order is asked for. */
  readonly spanOf?: Column
  readonly condition: (write: WriteColumn) => Fragment
}

/**
 * What narrows a list of a company, in the order in which its filters are defined: of several spans the first one gives
 * the list its order.
 *
 * @category conversions
 * @since 0.1.0
 */
export const narrowingsOf = <D extends ListDefinition>(
  sql: SqlClient,
  columns: ListColumns<D>,
  companyId: CompanyId,
  filter: FilterOf<D>
): ReadonlyArray<Narrowing> => {
  // FilterOf has values where the columns are those of values, and spans where they are those of spans.
  const given = filter as { readonly [name: string]: ReadonlyArray<string | number> | TimeSpan | DaySpan | undefined }
  // The names are those of the definition's filters.
  const found = columns.filters as { readonly [name: string]: ValuesColumn | SpanColumn }
  return Object.keys(columns.definition.filters).flatMap((name) => {
    const value = given[name]
    const column = found[name]
    if (value === undefined || column === undefined) return []
    // A span's column has a span beside it, and a values' column values: ListColumns.
    if (column.kind === "within" || column.kind === "either") return spanning(sql, column, value as TimeSpan & DaySpan)
    // See above.
    return [having(sql, companyId, column, value as ReadonlyArray<string | number>)]
  })
}

const having = (
  sql: SqlClient,
  companyId: CompanyId,
  found: ValuesColumn,
  values: ReadonlyArray<string | number>
): Narrowing => ({
  columns: found.kind === "computed" ? found.columns : [found.kind === "listed" ? id : found.column],
  ...atMostOf(found, values.length),
  // The rows of one value lie in the order of their identifiers, those of two do not.
  ...(values.length === 1 ? { sortedBy: "id" } : {}),
  condition: conditionOf(sql, companyId, found, values)
})

/** How many rows these values have at most, where that is known. */
const atMostOf = (found: ValuesColumn, values: number): Pick<Narrowing, "atMost"> => {
  if (found.kind === "unique") return { atMost: values }
  return "rowsEach" in found && found.rowsEach !== undefined ? { atMost: values * found.rowsEach } : {}
}

const conditionOf = (
  sql: SqlClient,
  companyId: CompanyId,
  found: ValuesColumn,
  values: ReadonlyArray<string | number>
): Narrowing["condition"] => {
  switch (found.kind) {
    case "unique":
    case "equal":
      return (write) => sql`${write(found.column)} IN ${sql.in(values)}`
    case "reference":
      return (write) => referring(sql, companyId, write(found.column), found.table, values)
    case "listed":
      return (write) => listing(sql, companyId, write(id), found.rows, values)
    case "computed":
      return (write) => found.condition(write, { sql, companyId, values })
  }
}

/** An array where there is one, as for references: a subquery may become a join that reads everything. */
const listing = (
  sql: SqlClient,
  companyId: CompanyId,
  column: Fragment,
  { column: value, found, refers, table }: ListedRows,
  values: ReadonlyArray<string | number>
): Fragment => {
  const ids = sql`SELECT ${sql(refers)} FROM ${sql(table)}
    WHERE company_id = ${companyId} AND ${sql.in(
      value,
      values.map((one) => found(String(one)))
    )}`
  return sql.onDialectOrElse({
    pg: () => sql`${column} = ANY (ARRAY(${ids}))`,
    orElse: () => sql`${column} IN (${ids})`
  })
}

const referring = (
  sql: SqlClient,
  companyId: CompanyId,
  column: Fragment,
  table: string,
  myIds: ReadonlyArray<string | number>
): Fragment => {
  const ids = sql`SELECT id FROM ${sql(table)} WHERE company_id = ${companyId} AND ${sql.in("my_id", myIds)}`
  // A myId is one row, which the database cannot know from IN: equality keeps the order of the index.
  if (myIds.length === 1) return sql`${column} = (${ids})`
  // An array, since PostgreSQL makes a join of a subquery, and reads the leading rows once for each of its rows.
  return sql.onDialectOrElse({
    pg: () => sql`${column} = ANY (ARRAY(${ids}))`,
    orElse: () => sql`${column} IN (${ids})`
  })
}

const spanning = (sql: SqlClient, found: SpanColumn, span: TimeSpan & DaySpan): ReadonlyArray<Narrowing> => {
  const { before, from, to } = span
  if (from === undefined && before === undefined && to === undefined) return []
  const lies = (column: Column) => (write: WriteColumn) =>
    sql.and([
      ...(from === undefined ? [] : [sql`${write(column)} >= ${from}`]),
      ...(before === undefined ? [] : [sql`${write(column)} < ${before}`]),
      ...(to === undefined ? [] : [sql`${write(column)} <= ${to}`])
    ])
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
      condition: (write) => sql.or([lies(created)(write), lies(updated)(write)])
    }
  ]
}
