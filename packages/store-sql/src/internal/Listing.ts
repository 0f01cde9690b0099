/**
 * How a list is read: the rows of one index, those of its most selective filter, and no others.
 *
 * **Details**
 *
 * Both databases prefer an index in the order of the list over one that finds ten rows, and then read every row of a
 * company; and SQLite has no histogram, so it cannot know that `denied` is rare. So the conditions and the order that
 * shall not lead are written such that no index can serve them (`+status`). Between several filters that are no
 * identifiers PostgreSQL chooses itself, by its statistics.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { Page } from "@parcela/engine/queries/Page"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import type { ListIndexes, ServedPair } from "./ListIndexes.ts"

/** Writes a column, either as it is or so that no index serves it. */
type Column = (name: string) => Fragment

/**
 * What narrows a list: a condition on a column that leads an index after `company_id`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Filter {
  /** As in `ListIndexes`. */
  readonly name: string
  /** At most so many rows can match; unknown when absent. */
  readonly atMost?: number
  /** `many` has no order of its own. */
  readonly values: ServedPair["values"] | "many"
  /** A range lists in the order of this column when no order is asked for. */
  readonly rangeOf?: string
  readonly condition: (column: Column) => Fragment
}

/**
 * A column has one of these values. No filter when nothing is asked; an empty array matches nothing.
 *
 * @category filters
 * @since 0.1.0
 */
export const among = (
  sql: SqlClient,
  name: string,
  column: string,
  values: ReadonlyArray<string | number> | undefined,
  options: { readonly unique?: boolean } = {}
): ReadonlyArray<Filter> =>
  values === undefined
    ? []
    : [
        {
          name,
          values: values.length === 1 ? "one" : "many",
          ...(options.unique === true ? { atMost: values.length } : {}),
          condition: (write) => sql`${write(column)} IN ${sql.in(values)}`
        }
      ]

/**
 * A column refers to one of these rows of another table, by the service's identifiers, the client's, or both.
 *
 * @category filters
 * @since 0.1.0
 */
export const referring = (
  sql: SqlClient,
  name: string,
  column: string,
  target: {
    readonly companyId: CompanyId
    readonly table: string
    readonly svcPayIds: ReadonlyArray<number> | undefined
    readonly myIds: ReadonlyArray<string> | undefined
  }
): ReadonlyArray<Filter> => {
  const { companyId, myIds, svcPayIds, table } = target
  if (myIds === undefined) return among(sql, name, column, svcPayIds)
  const ids = sql`SELECT id FROM ${sql(table)} WHERE ${sql.and([
    sql`company_id = ${companyId}`,
    sql.in("my_id", myIds),
    ...(svcPayIds === undefined ? [] : [sql.in("id", svcPayIds)])
  ])}`
  // A myId is one row, which the database cannot tell from IN: equality keeps the order of the index.
  return myIds.length === 1
    ? [{ name, values: "one", condition: (write) => sql`${write(column)} = (${ids})` }]
    : [{ name, values: "many", condition: (write) => oneOfRows(sql, write(column), ids) }]
}

// An array, since PostgreSQL makes a join of a subquery, and reads the leading rows once for each of its rows.
const oneOfRows = (sql: SqlClient, column: Fragment, ids: Fragment): Fragment =>
  sql.onDialectOrElse({
    pg: () => sql`${column} = ANY (ARRAY(${ids}))`,
    orElse: () => sql`${column} IN (${ids})`
  })

/**
 * A column lies within a span of instants, or within days of which the last is included.
 *
 * @category filters
 * @since 0.1.0
 */
export const within = (
  sql: SqlClient,
  name: string,
  column: string,
  span:
    | {
        readonly from?: number | string | undefined
        readonly before?: number | undefined
        readonly to?: string | undefined
      }
    | undefined
): ReadonlyArray<Filter> => {
  const { before, from, to } = span ?? {}
  if (from === undefined && before === undefined && to === undefined) return []
  const condition = (write: Column) =>
    sql.and([
      ...(from === undefined ? [] : [sql`${write(column)} >= ${from}`]),
      ...(before === undefined ? [] : [sql`${write(column)} < ${before}`]),
      ...(to === undefined ? [] : [sql`${write(column)} <= ${to}`])
    ])
  return [{ name, values: "range", rangeOf: column, condition }]
}

/**
 * The conditions of a list, and its `ORDER BY`, `LIMIT` and `OFFSET`. The identifier comes last in the direction of the
 * last term, so that rows with equal fields keep one order, no page repeats or skips one, and an index read forwards or
 * backwards has them so.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <Field extends string>(
  sql: SqlClient,
  indexes: ListIndexes,
  list: {
    readonly companyId: CompanyId
    readonly filters: ReadonlyArray<Filter>
    readonly page: Page<Field>
    readonly columns: { readonly [F in Field]: string }
  }
): Effect.fn.Return<{ readonly conditions: ReadonlyArray<Fragment>; readonly rest: Fragment }, SqlError> {
  const { columns, companyId, filters, page } = list
  const plain: Column = (name) => sql`${sql(name)}`
  const unindexed = withoutIndex(sql, indexes)
  const terms = orderOf(page, columns, filters)
  const byStatistics = filters.length > 1 && filters.every(({ atMost }) => atMost === undefined) && isPostgres(sql)
  const leading = byStatistics ? undefined : yield* leadingFilter(sql, indexes.table, companyId, filters)
  const write = !byStatistics && isServed(indexes, leading, terms) ? plain : unindexed
  const order = [...terms, { column: "id", direction: terms.at(-1)?.direction ?? "asc" }].map(
    ({ column, direction }) => sql`${write(column)} ${sql.literal(direction === "desc" ? "DESC" : "ASC")}`
  )
  return {
    conditions: filters.map((filter) => filter.condition(byStatistics || filter === leading ? plain : unindexed)),
    rest: sql`ORDER BY ${sql.csv(order)} LIMIT ${page.limit} OFFSET ${page.startAt}`
  }
})

const isPostgres = (sql: SqlClient): boolean => sql.onDialectOrElse({ pg: () => true, orElse: () => false })

interface Term {
  readonly column: string
  readonly direction: "asc" | "desc"
}

const orderOf = <Field extends string>(
  page: Page<Field>,
  columns: { readonly [F in Field]: string },
  filters: ReadonlyArray<Filter>
): ReadonlyArray<Term> => {
  if (page.order.length > 0) {
    return page.order.map(({ direction, field }) => ({ column: columns[field], direction }))
  }
  const range = filters.find(({ rangeOf }) => rangeOf !== undefined)?.rangeOf
  return range === undefined ? [] : [{ column: range, direction: "asc" }]
}

const isServed = ({ pairs }: ListIndexes, leading: Filter | undefined, terms: ReadonlyArray<Term>): boolean =>
  terms.length <= 1 &&
  pairs.some(
    ({ filter, order, values }) =>
      filter === (leading?.name ?? "none") &&
      values === (leading?.values ?? "none") &&
      order === (terms[0]?.column ?? "id")
  )

/** Nothing is computed: an expression is what an index on the column cannot serve. */
const withoutIndex = (sql: SqlClient, { text }: ListIndexes): Column =>
  sql.onDialectOrElse({
    pg: () => (name: string) => (text.includes(name) ? sql`(${sql(name)} || '')` : sql`(${sql(name)} + 0)`),
    orElse: () => (name: string) => sql`+${sql(name)}`
  })

/** How many entries of an index are counted at first; a filter with fewer leads. */
const firstCount = 512

/** A filter beyond this is as good as none: 512 x 8^5. */
const lastCount = 16_777_216

/**
 * The filter that matches the fewest rows. Identifiers need no look: at most one row each. Of several others as many
 * entries of each one's index are counted as tell the smallest, at most eight times its rows.
 */
const leadingFilter = Effect.fnUntraced(function* (
  sql: SqlClient,
  table: string,
  companyId: CompanyId,
  filters: ReadonlyArray<Filter>
): Effect.fn.Return<Filter | undefined, SqlError> {
  const exact = filters.filter(({ atMost }) => atMost !== undefined).sort((a, b) => a.atMost! - b.atMost!)
  if (exact[0] !== undefined || filters.length <= 1) return exact[0] ?? filters[0]
  const plain: Column = (name) => sql`${sql(name)}`
  for (let most = firstCount; most <= lastCount; most *= 8) {
    const counts = filters.map(
      (filter, index) => sql`(
        SELECT count(*) FROM (
          SELECT 1 FROM ${sql(table)} WHERE company_id = ${companyId} AND ${filter.condition(plain)} LIMIT ${most}
        ) AS counted
      ) AS ${sql(`c${index}`)}`
    )
    const [row] = yield* sql<Readonly<Record<string, number | string>>>`SELECT ${sql.csv(counts)}`
    const found = filters.map((_, index) => Number(row?.[`c${index}`]))
    const fewest = Math.min(...found)
    if (fewest < most) return filters[found.indexOf(fewest)]
  }
  return filters[0]
})
