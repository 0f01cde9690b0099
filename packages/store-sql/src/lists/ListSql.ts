/**
 * Builds the statement of a list, which reads the rows of one index and no others.
 *
 * **Details**
 *
 * Both databases prefer an index in the order of the list over an index that finds ten rows, and then read every row of a company. SQLite
 * has no histogram, so it cannot know that `denied` is rare. So all conditions and orders but the chosen one are written as expressions
 * that no index serves (`+status`).
 *
 * If the best index is not known beforehand, the statement itself finds it (`LeadingIndex`), and has a branch for each index. PostgreSQL
 * chooses among several filters by its statistics of their values, so it plans such a statement at each run.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition, OrderTerm, PageOf } from "@parcela/core/lists/ListDefinition"
import * as Statement from "../sql/Statement.ts"
import { type AppliedFilter, appliedFilters } from "./AppliedFilters.ts"
import type { Query } from "./EntityRows.ts"
import { chosenBranch, filterInOrder, isInOrder, orderOf, type PageQuery, plain, type Term } from "./LeadingIndex.ts"
import type { Column, ListColumns, SpanColumn, ValuesColumn, WriteColumn } from "./ListColumns.ts"

/** A column as an expression: an index on the column cannot serve it. */
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

/** A request for one row by one of its identifiers, without other filters. */
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
  // The names of `filters` are those of the definition.
  const found = (filters as { readonly [name: string]: ValuesColumn | SpanColumn })[name]
  if (more.length > 0 || found?.kind !== "unique") return undefined
  // A unique column belongs to a filter by values.
  const [value, ...others] = (filter as { readonly [name: string]: ReadonlyArray<string | number> })[name] ?? []
  if (value === undefined || others.length > 0) return undefined
  return { selected, table: definition.name, column: found.column.name, companyId, value, limit, startAt }
}

/** The most frequent list. It has one text for all rows. */
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
  const [exact] = applied.filter(({ maxRows }) => maxRows !== undefined).sort((a, b) => a.maxRows! - b.maxRows!)
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
  // The keys of `orders` are the fields of an order.
  const orders = columns.orders as { readonly [field: string]: Column }
  // An order has no other fields.
  if (order.length > 0) return order.map(({ direction, field }) => ({ column: orders[field]!, direction }))
  const span = applied.find(({ spanOf }) => spanOf !== undefined)?.spanOf
  return span === undefined ? [] : [{ column: span, direction: "asc" }]
}

/** Lets a branch return rows only if it was chosen. */
interface BranchCondition {
  readonly conditions: ReadonlyArray<string>
  readonly limit: string
}

/** The conditions and the order that an index may serve. */
interface Branch {
  /** The filters that an index may serve. */
  readonly led: ReadonlyArray<AppliedFilter>
  /** True if an index may serve the order, so that the query stops at the end of the page. */
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
  { conditions, limit }: BranchCondition = {
    conditions: [],
    limit: query.builder.bind(query.limit)
  }
): string => {
  const { companyId, applied, startAt, table, builder } = query
  const unindexed = withoutIndex(builder)
  const filtered = applied.map((one) => one.condition(led.includes(one) ? plain : unindexed))
  // Sorting one row would take longer than finding it.
  const order = led.some(({ maxRows }) => maxRows === 1)
    ? ""
    : `ORDER BY ${orderOf(query, isInOrder ? plain : unindexed)}`
  return `SELECT ${selected} FROM ${table}
    WHERE ${[`company_id = ${builder.bind(companyId)}`, ...filtered, ...conditions].join(" AND ")}
    ${order} LIMIT ${limit} OFFSET ${builder.bind(startAt)}`
}

/** All branches but the chosen one end before their first row. */
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
    (branch, number) =>
      `SELECT * FROM (${selectOf(query, selected, branch, conditionOfBranch(query, number))}) AS branch_${number}`
  )
  return `WITH chosen AS MATERIALIZED (SELECT ${chosenBranch(query, byFilter.length)} AS number)
    ${all.join(" UNION ALL ")}`
}

interface Branches {
  readonly byFilter: ReadonlyArray<Branch>
  readonly inOrder: Branch
}

/** PostgreSQL checks a condition before it reads a row, and SQLite checks the limit. */
const conditionOfBranch = ({ limit, builder: { bind, dialect } }: PageQuery, number: number): BranchCondition =>
  dialect.isPostgres
    ? // PostgreSQL plans for a literal limit.
      { conditions: [`(SELECT number FROM chosen) = ${number}`], limit: bind(limit) }
    : // SQLite checks conditions row by row.
      { conditions: [], limit: `(SELECT CASE WHEN number = ${number} THEN ${bind(limit)} ELSE 0 END FROM chosen)` }
