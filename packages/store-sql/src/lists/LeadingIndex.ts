/**
 * Which index a list is read by: that of the filter with the fewest rows, or that of the list's order where its first
 * rows fill the page.
 *
 * **Details**
 *
 * Entries of each filter's index are counted up to a bound that grows eightfold until one ends below it, so that at most
 * eight times the smallest number is counted. Where the smallest number is large, most rows match, and a page of them is
 * soon found in the order of the list: before a filter with more rows than a bound leads, so many rows of that order are
 * looked through. Each step is a subquery that is run only when the one before it found nothing.
 *
 * PostgreSQL knows by its statistics which of several filters is the rarest, and not whether two of them hold together:
 * only whether all have many rows is counted there, and whether the order fills the page.
 *
 * @since 0.1.0
 */
import type { Fragment } from "effect/sql/Statement"
import { id } from "./ListColumns.ts"
import { orderOf, plain, type Reading, servedOf } from "./ListReading.ts"
import type { Narrowing } from "./Narrowing.ts"

/** Fewer than these are soon sorted. */
const fewRows = 4_096

/** Up to how many rows are counted, and before that looked through in the order of the list. */
const steps: ReadonlyArray<{ readonly counted: number; readonly walked?: number }> = [
  { counted: 512 },
  { counted: fewRows },
  { walked: fewRows, counted: 32_768 },
  { walked: 32_768, counted: 262_144 },
  // A filter beyond this is as good as none.
  { counted: 2_097_152 }
]

/** What a count and the place of a filter are put together with in one number; there are fewer filters than this. */
const places = 64

/**
 * The place of the branch that is read, as an expression: `byFilter` branches are led by filters, and behind them stands
 * that of the list's order.
 *
 * @category constructors
 * @since 0.1.0
 */
export const chosenPlace = (reading: Reading, byFilter: number): Fragment => {
  const { sql } = reading
  const found = sql.onDialectOrElse({
    pg: () => [...areFew(reading), fillsPage(reading, byFilter, fewRows)],
    orElse: () =>
      steps.flatMap(({ counted, walked }) => [
        ...(walked === undefined ? [] : [fillsPage(reading, byFilter, walked)]),
        fewest(reading, counted)
      ])
  })
  return sql`COALESCE(${sql.csv(found)}, 0)`
}

/** The filter with the fewest rows, if they are fewer than `bound`. */
const fewest = (reading: Reading, bound: number): Fragment => {
  const { narrowings, sql } = reading
  const sizes = narrowings.map(
    (narrowing, place) =>
      sql`SELECT ${countOf(reading, narrowing, bound)} * ${sql.literal(`${places} + ${place}`)} AS size`
  )
  return sql`(
    SELECT min(size) % ${sql.literal(String(places))} FROM (${sql.join(" UNION ALL ", false)(sizes)}) AS sizes
    HAVING min(size) < ${bound * places}
  )`
}

/** The first branch, if any filter has few rows. Of those that an index does not have in one order, nothing is counted. */
const areFew = (reading: Reading): ReadonlyArray<Fragment> => {
  const { narrowings, sql } = reading
  const sizes = narrowings.flatMap((narrowing) => {
    const { sortedBy } = narrowing
    if (sortedBy === undefined) return []
    // In the order of its index, or PostgreSQL would look for the rows of a common value all over the table.
    const order = sql`ORDER BY ${plain(sql)(sortedBy === "id" ? id : sortedBy)}`
    return [sql`SELECT ${countOf(reading, narrowing, fewRows, order)} AS size`]
  })
  return sizes.length === 0
    ? []
    : [sql`(SELECT 0 FROM (${sql.join(" UNION ALL ", false)(sizes)}) AS sizes HAVING min(size) < ${fewRows})`]
}

const countOf = (
  { companyId, sql, table }: Reading,
  { condition }: Narrowing,
  bound: number,
  order: Fragment = sql.literal("")
): Fragment => sql`(
    SELECT count(*) FROM (
      SELECT 1 FROM ${sql(table)} WHERE company_id = ${companyId} AND ${condition(plain(sql))} ${order} LIMIT ${bound}
    ) AS counted
  )`

/** The order of the list, if its first rows hold all of the page. */
const fillsPage = (reading: Reading, place: number, bound: number): Fragment => {
  const { limit, narrowings, sql, startAt } = reading
  const read = new Map(narrowings.flatMap(({ columns }) => columns.map((column) => [column.name, column])))
  const columns = sql.csv([...read.values()].map(plain(sql)))
  return sql`(
    SELECT CASE WHEN count(*) = ${startAt + limit} THEN ${sql.literal(String(place))} END FROM (
      SELECT 1 FROM (${walk(reading, columns, bound)}) AS walked
      WHERE ${sql.and(narrowings.map(({ condition }) => condition(plain(sql))))} LIMIT ${startAt + limit}
    ) AS found
  )`
}

/** The first rows of a list in its order, narrowed by what an index can narrow without losing the order. */
const walk = (reading: Reading, columns: Fragment, bound: number): Fragment => {
  const { companyId, limit, sql, startAt, table } = reading
  const served = servedOf(reading)
  const conditions = [sql`company_id = ${companyId}`, ...(served === undefined ? [] : [served.condition(plain(sql))])]
  // What the page skips has to be found too.
  return sql`SELECT ${columns} FROM ${sql(table)} WHERE ${sql.and(conditions)}
    ORDER BY ${orderOf(reading, plain(sql))} LIMIT ${bound + 2 * (startAt + limit)}`
}
