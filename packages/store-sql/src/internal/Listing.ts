/**
 * The conditions and the order of a list, from a filter and a page.
 *
 * @since 0.1.0
 */
import type { Page, Span } from "@parcela/engine/Page"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * A column is one of these; no condition when nothing is asked. An empty array matches nothing.
 *
 * @category conditions
 * @since 0.1.0
 */
export const among = (
  sql: SqlClient,
  column: string,
  values: ReadonlyArray<string | number> | undefined
): ReadonlyArray<Fragment> => (values === undefined ? [] : [sql.in(column, values)])

/**
 * A column lies within a span.
 *
 * @category conditions
 * @since 0.1.0
 */
export const within = (sql: SqlClient, column: string, span: Span | undefined): ReadonlyArray<Fragment> => [
  ...(span?.from === undefined ? [] : [sql`${sql(column)} >= ${span.from}`]),
  ...(span?.before === undefined ? [] : [sql`${sql(column)} < ${span.before}`])
]

/**
 * `ORDER BY`, `LIMIT` and `OFFSET`. The identifier comes last, so that rows with equal fields keep one order and no
 * page repeats or skips one.
 *
 * @category ordering
 * @since 0.1.0
 */
export const paged = <Field extends string>(
  sql: SqlClient,
  page: Page<Field>,
  columns: { readonly [F in Field]: string }
): Fragment => {
  const order = page.order.map(
    ({ direction, field }) => sql`${sql(columns[field])} ${sql.literal(direction === "desc" ? "DESC" : "ASC")}`
  )
  return sql`ORDER BY ${sql.csv([...order, sql`id ASC`])} LIMIT ${page.limit} OFFSET ${page.startAt}`
}
