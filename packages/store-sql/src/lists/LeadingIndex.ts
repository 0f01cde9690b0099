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
import { id } from "./ListColumns.ts"
import { orderOf, plain, type Reading, servedOf } from "./ListReading.ts"
import type { Narrowing } from "./Narrowing.ts"

/** Fewer than these are soon sorted. */
const fewRows = 4_096

/** Up to how many rows are counted, and before that looked through in the order of the list. */
const steps: ReadonlyArray<{ readonly counted: number; readonly walked?: number }> = [
  { counted: 512 },
  // Not more than what was counted before, with what a page needs beside.
  { walked: 448, counted: fewRows },
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
export const chosenPlace = (reading: Reading, byFilter: number): string => {
  const found = reading.writing.dialect.isPostgres
    ? [...areFew(reading), fillsPage(reading, byFilter, fewRows)]
    : steps.flatMap(({ counted, walked }) => [
        ...(walked === undefined ? [] : [fillsPage(reading, byFilter, walked)]),
        fewest(reading, counted)
      ])
  return `COALESCE(${found.join(", ")}, 0)`
}

/** The filter with the fewest rows, if they are fewer than `bound`. */
const fewest = (reading: Reading, bound: number): string => {
  const sizes = reading.narrowings.map(
    (narrowing, place) => `SELECT ${countOf(reading, narrowing, bound)} * ${places} + ${place} AS size`
  )
  return `(
    SELECT min(size) % ${places} FROM (${sizes.join(" UNION ALL ")}) AS sizes
    HAVING min(size) < ${bound * places}
  )`
}

/** The first branch, if any filter has few rows. Of those that an index does not have in one order, nothing is counted. */
const areFew = (reading: Reading): ReadonlyArray<string> => {
  const sizes = reading.narrowings.flatMap((narrowing) => {
    const { sortedBy } = narrowing
    if (sortedBy === undefined) return []
    // In the order of its index, or PostgreSQL would look for the rows of a common value all over the table.
    const order = `ORDER BY ${plain(sortedBy === "id" ? id : sortedBy)}`
    return [`SELECT ${countOf(reading, narrowing, fewRows, order)} AS size`]
  })
  return sizes.length === 0
    ? []
    : [`(SELECT 0 FROM (${sizes.join(" UNION ALL ")}) AS sizes HAVING min(size) < ${fewRows})`]
}

const companyIs = ({ companyId, writing }: Reading): string => `company_id = ${writing.bind(companyId)}`

const countOf = (reading: Reading, { condition }: Narrowing, bound: number, order = ""): string => `(
    SELECT count(*) FROM (
      SELECT 1 FROM ${reading.table} WHERE ${companyIs(reading)} AND ${condition(plain)} ${order} LIMIT ${bound}
    ) AS counted
  )`

/** The order of the list, if its first rows hold all of the page. */
const fillsPage = (reading: Reading, place: number, bound: number): string => {
  const { limit, narrowings, startAt, writing } = reading
  const columns = new Set(narrowings.flatMap(({ columns }) => columns.map(plain)))
  const page = writing.bind(startAt + limit)
  return `(
    SELECT CASE WHEN count(*) = ${page} THEN ${place} END FROM (
      SELECT 1 FROM (${walk(reading, [...columns].join(", "), bound)}) AS walked
      WHERE ${narrowings.map(({ condition }) => condition(plain)).join(" AND ")} LIMIT ${page}
    ) AS found
  )`
}

/** The first rows of a list in its order, narrowed by what an index can narrow without losing the order. */
const walk = (reading: Reading, columns: string, bound: number): string => {
  const { limit, startAt, table, writing } = reading
  const served = servedOf(reading)
  const conditions = [companyIs(reading), ...(served === undefined ? [] : [served.condition(plain)])]
  // What the page skips has to be found too.
  return `SELECT ${columns} FROM ${table} WHERE ${conditions.join(" AND ")}
    ORDER BY ${orderOf(reading, plain)} LIMIT ${writing.bind(bound + 2 * (startAt + limit))}`
}
