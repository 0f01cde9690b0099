/**
 * The choice of the index for a list: the index of the filter with the fewest rows, or the index of the list's order if its first rows
 * fill the page.
 *
 * **Details**
 *
 * The statement counts the index entries of each filter, up to a bound that grows fourfold until a filter has fewer entries. So it counts
 * at most about five times the smallest number for each filter. If the smallest number is large, most rows match, and the first rows in
 * the order of the list soon fill the page: these rows are checked before a filter with more rows is chosen. Each step is a subquery that
 * runs only if the previous step found nothing.
 *
 * PostgreSQL knows from its statistics which filter is the rarest, but not how many rows match two filters. There the statement counts
 * only whether all filters have many rows, and whether the order fills the page.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Builder } from "../sql/Statement.ts"
import type { AppliedFilter } from "./AppliedFilters.ts"
import { type Column, id, type WriteColumn } from "./ListColumns.ts"

/** Fewer rows than this are sorted quickly. */
const fewRows = 4_096

/** The bound of the counts in each step, and the rows in the order of the list that are checked before. */
const steps: ReadonlyArray<{ readonly counted: number; readonly walked?: number }> = [
  { counted: 512 },
  // With the rows of a page, not more than the counts of the previous step.
  { walked: 448, counted: 2_048 },
  { walked: 2_048, counted: fewRows },
  { walked: fewRows, counted: 16_384 },
  { walked: 16_384, counted: 65_536 },
  { walked: 65_536, counted: 262_144 },
  // A filter with more rows excludes too few.
  { walked: 262_144, counted: 2_097_152 }
]

/** One number combines a count and the index of a filter: count * maxBranches + index. A list has fewer filters than this. */
const maxBranches = 64

/**
 * An expression with the number of the branch to read. The first `byFilter` branches use the indexes of filters; the last one uses the
 * order of the list.
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

/** The filter with the fewest rows, if it has fewer rows than `bound`. */
const fewest = (query: PageQuery, bound: number): string => {
  const sizes = query.applied.map(
    (filter, index) => `SELECT ${countOf(query, filter, bound)} * ${maxBranches} + ${index} AS size`
  )
  return `(
    SELECT min(size) % ${maxBranches} FROM (${sizes.join(" UNION ALL ")}) AS sizes
    HAVING min(size) < ${bound * maxBranches}
  )`
}

/** The first branch, if any filter has few rows. Only filters whose rows an index has in one order are counted. */
const areFew = (query: PageQuery): ReadonlyArray<string> => {
  const sizes = query.applied.flatMap((filter) => {
    const { sortedBy } = filter
    if (sortedBy === undefined) return []
    // The order of the index: otherwise PostgreSQL would search the whole table for rows of a common value.
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

/** The branch of the list's order, if its first rows contain the whole page. */
const fillsPage = (query: PageQuery, branch: number, bound: number): string => {
  const { limit, applied, startAt, terms, builder } = query
  const [first, ...others] = terms
  const columns = new Set([...applied.flatMap(({ columns }) => columns), ...(first ? [first.column] : [])].map(plain))
  const page = builder.bind(startAt + limit)
  // The rows before the page count too.
  const walked = builder.bind(bound + 2 * (startAt + limit))
  const whole =
    // PostgreSQL knows from its statistics how many rows are equal.
    first === undefined || others.length === 0 || builder.dialect.isPostgres
      ? []
      : [isBefore(first, walk(query, plain(first.column), `1 OFFSET ${walked}`))]
  return `(
    SELECT CASE WHEN count(*) = ${page} THEN ${branch} END FROM (
      SELECT 1 FROM (${walk(query, [...columns].join(", "), walked)}) AS walked
      WHERE ${[...applied.map(({ condition }) => condition(plain)), ...whole].join(" AND ")} LIMIT ${page}
    ) AS found
  )`
}

/**
 * In an order by several fields, rows with an equal first field are read together. A row counts if the row after the checked rows has
 * another first field.
 */
const isBefore = ({ column, direction }: Term, next: string): string =>
  `COALESCE(${plain(column)} ${direction === "asc" ? "<" : ">"} (${next}), 1 = 1)`

/**
 * The first rows of a list in the order of its first term. A filter applies if its index has the same order.
 */
const walk = (query: PageQuery, columns: string, limit: string): string => {
  const { table, terms } = query
  const inOrder = filterInOrder(query)
  const conditions = [companyIs(query), ...(inOrder === undefined ? [] : [inOrder.condition(plain)])]
  return `SELECT ${columns} FROM ${table} WHERE ${conditions.join(" AND ")}
    ORDER BY ${orderOf({ terms: terms.slice(0, 1) }, plain)} LIMIT ${limit}`
}

/**
 * The request for a page of a company's list.
 *
 * @category models
 * @since 0.1.0
 */
export interface PageQuery {
  readonly builder: Builder
  readonly table: string
  readonly companyId: CompanyId
  readonly applied: ReadonlyArray<AppliedFilter>
  /** The order without the identifier, which is always last. */
  readonly terms: ReadonlyArray<Term>
  readonly startAt: number
  readonly limit: number
}

/**
 * A column of an order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Term {
  readonly column: Column
  readonly direction: "asc" | "desc"
}

/**
 * The name of a column, which an index may serve.
 *
 * @category columns
 * @since 0.1.0
 */
export const plain: WriteColumn = ({ name }) => name

/**
 * True if the index of a filter has its rows in the order of the list, so that the query stops at the end of the page. The first field of
 * the order decides: rows with an equal first field are sorted, such as those of one day.
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
 * The filter whose index has its rows in the order of the list.
 *
 * @category getters
 * @since 0.1.0
 */
export const filterInOrder = ({ applied, terms }: PageQuery): AppliedFilter | undefined =>
  applied.find((filter) => isInOrder(filter, terms))

/**
 * The `ORDER BY` of a list. The identifier is last, in the direction of the last term: no page repeats or skips a row, and an index has this
 * order when it is read forwards or backwards.
 *
 * @category conversions
 * @since 0.1.0
 */
export const orderOf = ({ terms }: Pick<PageQuery, "terms">, write: WriteColumn): string =>
  [...terms, { column: id, direction: terms.at(-1)?.direction ?? "asc" }]
    .map(({ column, direction }) => `${write(column)} ${direction === "desc" ? "DESC" : "ASC"}`)
    .join(", ")
