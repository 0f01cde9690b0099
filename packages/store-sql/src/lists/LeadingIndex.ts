/**
 * Which index a list is read by: that of the filter with the fewest rows, or that of the list's order where its first
 * rows fill the page.
 *
 * **Details**
 *
 * Entries of each filter's index are counted up to a bound that grows fourfold until one ends below it, so that at most
 * some five times the smallest number is counted of each. Where the smallest number is large, most rows match, and a page of them is
 * soon found in the order of the list: before a filter with more rows than a bound leads, so many rows of that order are
 * looked through. Each step is a subquery that is run only when the one before it found nothing.
 *
 * PostgreSQL knows by its statistics which of several filters is the rarest, and not whether two of them hold together:
 * only whether all have many rows is counted there, and whether the order fills the page.
 *
 * @since 0.1.0
 */
import { id, type Column, type WriteColumn } from "./ListColumns.ts"
import type { AppliedFilter } from "./AppliedFilters.ts"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Builder } from "../sql/Statement.ts"

/** Fewer than these are soon sorted. */
const fewRows = 4_096

/** Up to how many rows are counted, and before that looked through in the order of the list. */
const steps: ReadonlyArray<{ readonly counted: number; readonly walked?: number }> = [
  { counted: 512 },
  // Not more than what was counted before, with what a page needs beside.
  { walked: 448, counted: 2_048 },
  { walked: 2_048, counted: fewRows },
  { walked: fewRows, counted: 16_384 },
  { walked: 16_384, counted: 65_536 },
  { walked: 65_536, counted: 262_144 },
  // A filter beyond this is as good as none.
  { walked: 262_144, counted: 2_097_152 }
]

/** What a count and the place of a filter are put together with in one number; there are fewer filters than this. */
const maxBranches = 64

/**
 * The place of the branch that is read, as an expression: `byFilter` branches are led by filters, and behind them stands
 * that of the list's order.
 *
 * @category constructors
 * @since 0.1.0
 */
export const chosenBranch = (query: PageQuery, byFilter: number): string => {
  const found = query.builder.dialect.isPostgres
    ? [...areFew(query), fillsPage(query, byFilter, fewRows)]
    : steps.flatMap(({ counted, walked }) => [
        ...(walked === undefined ? [] : [fillsPage(query, byFilter, walked)]),
        fewest(query, counted)
      ])
  return `COALESCE(${found.join(", ")}, 0)`
}

/** The filter with the fewest rows, if they are fewer than `bound`. */
const fewest = (query: PageQuery, bound: number): string => {
  const sizes = query.applied.map(
    (filter, place) => `SELECT ${countOf(query, filter, bound)} * ${maxBranches} + ${place} AS size`
  )
  return `(
    SELECT min(size) % ${maxBranches} FROM (${sizes.join(" UNION ALL ")}) AS sizes
    HAVING min(size) < ${bound * maxBranches}
  )`
}

/** The first branch, if any filter has few rows. Of those that an index does not have in one order, nothing is counted. */
const areFew = (query: PageQuery): ReadonlyArray<string> => {
  const sizes = query.applied.flatMap((filter) => {
    const { sortedBy } = filter
    if (sortedBy === undefined) return []
    // In the order of its index, or PostgreSQL would look for the rows of a common value all over the table.
    const order = `ORDER BY ${plain(sortedBy === "id" ? id : sortedBy)}`
    return [`SELECT ${countOf(query, filter, fewRows, order)} AS size`]
  })
  return sizes.length === 0
    ? []
    : [`(SELECT 0 FROM (${sizes.join(" UNION ALL ")}) AS sizes HAVING min(size) < ${fewRows})`]
}

const companyIs = ({ companyId, builder }: PageQuery): string => `company_id = ${builder.bind(companyId)}`

const countOf = (query: PageQuery, { condition }: AppliedFilter, bound: number, order = ""): string => `(
    SELECT count(*) FROM (
      SELECT 1 FROM ${query.table} WHERE ${companyIs(query)} AND ${condition(plain)} ${order} LIMIT ${bound}
    ) AS counted
  )`

/** The order of the list, if its first rows hold all of the page. */
const fillsPage = (query: PageQuery, place: number, bound: number): string => {
  const { limit, applied, startAt, terms, builder } = query
  const [first, ...others] = terms
  const columns = new Set([...applied.flatMap(({ columns }) => columns), ...(first ? [first.column] : [])].map(plain))
  const page = builder.bind(startAt + limit)
  // What the page skips has to be found too.
  const walked = builder.bind(bound + 2 * (startAt + limit))
  const whole =
    // PostgreSQL knows by its statistics how many rows are equal.
    first === undefined || others.length === 0 || builder.dialect.isPostgres
      ? []
      : [isBefore(first, walk(query, plain(first.column), `1 OFFSET ${walked}`))]
  return `(
    SELECT CASE WHEN count(*) = ${page} THEN ${place} END FROM (
      SELECT 1 FROM (${walk(query, [...columns].join(", "), walked)}) AS walked
      WHERE ${[...applied.map(({ condition }) => condition(plain)), ...whole].join(" AND ")} LIMIT ${page}
    ) AS found
  )`
}

/**
 * Of an order by several fields, rows that are equal in the first one are read together: a row counts where what follows the rows that
 * are looked through is no longer equal to it.
 */
const isBefore = ({ column, direction }: Term, next: string): string =>
  `COALESCE(${plain(column)} ${direction === "asc" ? "<" : ">"} (${next}), 1 = 1)`

/**
 * The first rows of a list in the order of its first term, narrowed by what an index can narrow without losing that order.
 */
const walk = (query: PageQuery, columns: string, limit: string): string => {
  const { table, terms } = query
  const inOrder = filterInOrder(query)
  const conditions = [companyIs(query), ...(inOrder === undefined ? [] : [inOrder.condition(plain)])]
  return `SELECT ${columns} FROM ${table} WHERE ${conditions.join(" AND ")}
    ORDER BY ${orderOf({ terms: terms.slice(0, 1) }, plain)} LIMIT ${limit}`
}

/**
 * A page of a company's list.
 *
 * @category models
 * @since 0.1.0
 */
export interface PageQuery {
  readonly builder: Builder
  readonly table: string
  readonly companyId: CompanyId
  readonly applied: ReadonlyArray<AppliedFilter>
  /** Without the identifier. */
  readonly terms: ReadonlyArray<Term>
  readonly startAt: number
  readonly limit: number
}

/**
 * One column of an order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Term {
  readonly column: Column
  readonly direction: "asc" | "desc"
}

/**
 * A column as it is.
 *
 * @category columns
 * @since 0.1.0
 */
export const plain: WriteColumn = ({ name }) => name

/**
 * Whether the index of a filter has its rows in the order of the list, so that nothing is sorted and the query stops
 * at the end of the page. Of an order by several fields the first one decides: rows that are equal in it are sorted, a day's
 * at a time.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isInOrder = (filter: AppliedFilter, terms: ReadonlyArray<Term>): boolean => {
  const { sortedBy } = filter
  if (sortedBy === "id" || sortedBy === undefined) return sortedBy === "id" && terms.length === 0
  return terms[0]?.column.name === sortedBy.name
}

/**
 * The filter whose index has the rows in the order of the list, if there is one.
 *
 * @category getters
 * @since 0.1.0
 */
export const filterInOrder = ({ applied, terms }: PageQuery): AppliedFilter | undefined =>
  applied.find((filter) => isInOrder(filter, terms))

/**
 * The identifier comes last in the direction of the last term, so that rows with equal fields keep one order, no page
 * repeats or skips one, and an index read forwards or backwards has them so.
 *
 * @category conversions
 * @since 0.1.0
 */
export const orderOf = ({ terms }: Pick<PageQuery, "terms">, write: WriteColumn): string =>
  [...terms, { column: id, direction: terms.at(-1)?.direction ?? "asc" }]
    .map(({ column, direction }) => `${write(column)} ${direction === "desc" ? "DESC" : "ASC"}`)
    .join(", ")
