/**
 * How a list is read: in one statement, which reads the rows of one index and no others.
 *
 * **Details**
 *
 * Both databases prefer an index in the order of the list over one that finds ten rows, and then read every row of a
 * company; and SQLite has no histogram, so it cannot know that `denied` is rare. So the conditions and the order that
 * shall not lead are written such that no index can serve them (`+status`).
 *
 * Where nothing says beforehand which index has the fewest rows to read, the statement finds out (`LeadingIndex`) and
 * has a branch for each. Of several filters PostgreSQL chooses by its statistics of their values, so it plans each time.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition, OrderTerm, PageOf } from "@parcela/core/lists/ListDefinition"
import * as Statement from "../sql/Statement.ts"
import type { Query } from "./EntityRows.ts"
import { chosenBranch, isInOrder, orderOf, plain, type PageQuery, filterInOrder, type Term } from "./LeadingIndex.ts"
import type { Column, ListColumns, SpanColumn, ValuesColumn, WriteColumn } from "./ListColumns.ts"
import { type AppliedFilter, appliedFilters } from "./AppliedFilters.ts"

/** A column so that no index serves it. Nothing is computed: an index on the column cannot serve an expression. */
const withoutIndex =
  ({ dialect }: Statement.Builder): WriteColumn =>
  ({ name, type }) => {
    if (!dialect.isPostgres) return `+${name}`
    return type === "text" ? `(${name} || '')` : `(${name} + 0)`
  }

interface Listed<D extends ListDefinition> {
  readonly filter: FilterOf<D>
  readonly page: PageOf<D>
}

/**
 * A page of a company's list: a SELECT of columns of its table, in the order of the page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const listSql =
  <D extends ListDefinition>(columns: ListColumns<D>, companyId: CompanyId, list: Listed<D>): Query =>
  (selected, dialect) => {
    const row = rowOf(columns, companyId, list, selected)
    return row === undefined
      ? Statement.make(dialect, (bind) => pageSql(columns, companyId, list, selected, { dialect, bind }))
      : rowSql(dialect, row)
  }

/** A row that is asked for by one of its identifiers and by nothing else. */
interface Row {
  readonly selected: string
  readonly table: string
  readonly column: string
  readonly companyId: CompanyId
  readonly value: string | number
  readonly limit: number
  readonly startAt: number
}

const rowOf = <D extends ListDefinition>(
  { definition, filters }: ListColumns<D>,
  companyId: CompanyId,
  { filter, page: { limit, startAt } }: Listed<D>,
  selected: string
): Row | undefined => {
  const [name = "", ...more] = Object.keys(filter)
  // As `appliedFilters` has it.
  const found = (filters as { readonly [name: string]: ValuesColumn | SpanColumn })[name]
  if (more.length > 0 || found?.kind !== "unique") return undefined
  // As above: such a column is that of a filter by values.
  const [value, ...others] = (filter as { readonly [name: string]: ReadonlyArray<string | number> })[name] ?? []
  if (value === undefined || others.length > 0) return undefined
  return { selected, table: definition.name, column: found.column.name, companyId, value, limit, startAt }
}

/** The list that is asked for most: its text is the same for every row, and is put together once. */
const rowSql = Statement.prepared<Row>(
  ({ bind, choose }) => `SELECT ${choose(({ selected }) => selected)} FROM ${choose(({ table }) => table)}
    WHERE company_id = ${bind(({ companyId }) => companyId)} AND
      ${choose(({ column }) => column)} = ${bind(({ value }) => value)}
    LIMIT ${bind(({ limit }) => limit)} OFFSET ${bind(({ startAt }) => startAt)}`
)

const pageSql = <D extends ListDefinition>(
  columns: ListColumns<D>,
  companyId: CompanyId,
  list: Listed<D>,
  selected: string,
  builder: Statement.Builder
): Statement.Text => {
  const applied = appliedFilters(builder, columns, companyId, list.filter)
  const { limit, order, startAt } = list.page
  const terms = termsOf<D>(order, columns, applied)
  const query: PageQuery = { builder, table: columns.definition.name, companyId, applied, terms, startAt, limit }
  // Identifiers have at most one row each.
  const [exact] = applied.filter(({ atMost }) => atMost !== undefined).sort((a, b) => a.atMost! - b.atMost!)
  const [first] = applied
  if (exact !== undefined) return selectOf(query, selected, ledBy(query, exact))
  if (first === undefined) return selectOf(query, selected, { led: [], isInOrder: true })
  return applied.length === 1 && isInOrder(first, terms)
    ? selectOf(query, selected, ledBy(query, first))
    : { text: branches(query, selected), isPlannedForValues: true }
}

const termsOf = <D extends ListDefinition>(
  order: ReadonlyArray<OrderTerm>,
  columns: ListColumns<D>,
  applied: ReadonlyArray<AppliedFilter>
): ReadonlyArray<Term> => {
  // The keys are the fields that the list can be ordered by.
  const orders = columns.orders as { readonly [field: string]: Column }
  // An order names no others.
  if (order.length > 0) return order.map(({ direction, field }) => ({ column: orders[field]!, direction }))
  const span = applied.find(({ spanOf }) => spanOf !== undefined)?.spanOf
  return span === undefined ? [] : [{ column: span, direction: "asc" }]
}

/** Whether and how far a branch is read. */
interface Gate {
  readonly conditions: ReadonlyArray<string>
  readonly limit: string
}

/** What an index may serve. */
interface Branch {
  /** The filters that may lead. */
  readonly led: ReadonlyArray<AppliedFilter>
  /** Whether the order may lead, so that the query stops at the end of the page. */
  readonly isInOrder: boolean
}

const ledBy = (query: PageQuery, leading: AppliedFilter): Branch => ({
  led: [leading],
  isInOrder: isInOrder(leading, query.terms)
})

const selectOf = (
  query: PageQuery,
  selected: string,
  { isInOrder, led }: Branch,
  { conditions, limit }: Gate = {
    conditions: [],
    limit: query.builder.bind(query.limit)
  }
): string => {
  const { companyId, applied, startAt, table, builder } = query
  const unindexed = withoutIndex(builder)
  const filtered = applied.map((one) => one.condition(led.includes(one) ? plain : unindexed))
  // One row has no order, and sorting it would take longer than finding it.
  const order = led.some(({ atMost }) => atMost === 1)
    ? ""
    : `ORDER BY ${orderOf(query, isInOrder ? plain : unindexed)}`
  return `SELECT ${selected} FROM ${table}
    WHERE ${[`company_id = ${builder.bind(companyId)}`, ...filtered, ...conditions].join(" AND ")}
    ${order} LIMIT ${limit} OFFSET ${builder.bind(startAt)}`
}

/** Of these branches all but one end before their first row. */
const branches = (query: PageQuery, selected: string): string => {
  const { applied, builder } = query
  const { byFilter, inOrder }: Branches = builder.dialect.isPostgres
    ? // PostgreSQL chooses among several filters by its statistics.
      { byFilter: [{ led: applied, isInOrder: false }], inOrder: { led: applied, isInOrder: true } }
    : {
        byFilter: applied.map((filter) => ledBy(query, filter)),
        inOrder: { led: applied.filter((one) => one === filterInOrder(query)), isInOrder: true }
      }
  const all = [...byFilter, inOrder].map(
    (branch, place) =>
      `SELECT * FROM (${selectOf(query, selected, branch, conditionOfBranch(query, place))}) AS branch_${place}`
  )
  return `WITH chosen AS MATERIALIZED (SELECT ${chosenBranch(query, byFilter.length)} AS place)
    ${all.join(" UNION ALL ")}`
}

interface Branches {
  readonly byFilter: ReadonlyArray<Branch>
  readonly inOrder: Branch
}

/** What lets a branch be read only when it was chosen: each database looks at another thing before it reads a row. */
const conditionOfBranch = ({ limit, builder: { bind, dialect } }: PageQuery, place: number): Gate =>
  dialect.isPostgres
    ? // PostgreSQL plans for the limit that it sees.
      { conditions: [`(SELECT place FROM chosen) = ${place}`], limit: bind(limit) }
    : // SQLite looks at conditions row by row.
      { conditions: [], limit: `(SELECT CASE WHEN place = ${place} THEN ${bind(limit)} ELSE 0 END FROM chosen)` }
