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
 * has a branch for each.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { FilterOf, ListDefinition, OrderTerm, PageOf } from "@parcela/core/lists/ListDefinition"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { chosenPlace } from "./LeadingIndex.ts"
import type { Column, ListColumns, WriteColumn } from "./ListColumns.ts"
import { isServed, orderOf, plain, type Reading, servedOf, type Term } from "./ListReading.ts"
import { type Narrowing, narrowingsOf } from "./Narrowing.ts"

/** A column so that no index serves it. Nothing is computed: an index on the column cannot serve an expression. */
const withoutIndex = (sql: SqlClient): WriteColumn =>
  sql.onDialectOrElse({
    pg:
      () =>
      ({ name, type }: Column) =>
        type === "text" ? sql`(${sql(name)} || '')` : sql`(${sql(name)} + 0)`,
    orElse:
      () =>
      ({ name }: Column) =>
        sql`+${sql(name)}`
  })

/**
 * A page of a company's list: a SELECT of `selected`, columns of its table, in the order of the page.
 *
 * @category constructors
 * @since 0.1.0
 */
export const listSql = <D extends ListDefinition>(
  sql: SqlClient,
  columns: ListColumns<D>,
  companyId: CompanyId,
  list: { readonly filter: FilterOf<D>; readonly page: PageOf<D> }
): ((selected: Fragment) => Fragment) => {
  const narrowings = narrowingsOf(sql, columns, companyId, list.filter)
  const { limit, order, startAt } = list.page
  const terms = termsOf<D>(order, columns, narrowings)
  const reading: Reading = { sql, table: columns.definition.name, companyId, narrowings, terms, startAt, limit }
  // Identifiers have at most one row each.
  const [exact] = narrowings.filter(({ atMost }) => atMost !== undefined).sort((a, b) => a.atMost! - b.atMost!)
  const [first] = narrowings
  if (exact !== undefined) return (selected) => selectOf(reading, selected, ledBy(reading, exact))
  if (first === undefined) return (selected) => selectOf(reading, selected, { led: [], isInOrder: true })
  if (narrowings.length === 1 && isServed(first, terms)) {
    return (selected) => selectOf(reading, selected, ledBy(reading, first))
  }
  return (selected) => branches(reading, selected)
}

const termsOf = <D extends ListDefinition>(
  order: ReadonlyArray<OrderTerm>,
  columns: ListColumns<D>,
  narrowings: ReadonlyArray<Narrowing>
): ReadonlyArray<Term> => {
  // The keys are the fields that the list can be ordered by.
  const orders = columns.orders as { readonly [field: string]: Column }
  // An order names no others.
  if (order.length > 0) return order.map(({ direction, field }) => ({ column: orders[field]!, direction }))
  const span = narrowings.find(({ spanOf }) => spanOf !== undefined)?.spanOf
  return span === undefined ? [] : [{ column: span, direction: "asc" }]
}

/** Whether and how far a branch is read. */
interface Gate {
  readonly conditions: ReadonlyArray<Fragment>
  readonly limit: Fragment
}

/** What an index may serve. */
interface Branch {
  /** The filters that may lead. */
  readonly led: ReadonlyArray<Narrowing>
  /** Whether the order may lead, so that the reading stops at the end of the page. */
  readonly isInOrder: boolean
}

const ledBy = (reading: Reading, leading: Narrowing): Branch => ({
  led: [leading],
  isInOrder: isServed(leading, reading.terms)
})

const selectOf = (
  reading: Reading,
  selected: Fragment,
  { isInOrder, led }: Branch,
  { conditions, limit }: Gate = { conditions: [], limit: reading.sql`${reading.limit}` }
): Fragment => {
  const { companyId, narrowings, sql, startAt, table } = reading
  const unindexed = withoutIndex(sql)
  const narrowed = narrowings.map((one) => one.condition(led.includes(one) ? plain(sql) : unindexed))
  return sql`SELECT ${selected} FROM ${sql(table)}
    WHERE ${sql.and([sql`company_id = ${companyId}`, ...narrowed, ...conditions])}
    ORDER BY ${orderOf(reading, isInOrder ? plain(sql) : unindexed)} LIMIT ${limit} OFFSET ${startAt}`
}

/** Of these branches all but one end before their first row. */
const branches = (reading: Reading, selected: Fragment): Fragment => {
  const { narrowings, sql } = reading
  const { byFilter, inOrder } = sql.onDialectOrElse({
    // PostgreSQL chooses among several filters by its statistics.
    pg: (): Branches => ({
      byFilter: [{ led: narrowings, isInOrder: false }],
      inOrder: { led: narrowings, isInOrder: true }
    }),
    orElse: (): Branches => ({
      byFilter: narrowings.map((narrowing) => ledBy(reading, narrowing)),
      inOrder: { led: narrowings.filter((one) => one === servedOf(reading)), isInOrder: true }
    })
  })
  const gate = gateOf(reading)
  const all = [...byFilter, inOrder].map(
    (branch, place) =>
      sql`SELECT * FROM (${selectOf(reading, selected, branch, gate(place))}) AS ${sql(`branch_${place}`)}`
  )
  return sql`WITH chosen AS MATERIALIZED (SELECT ${chosenPlace(reading, byFilter.length)} AS place)
    ${sql.join(" UNION ALL ", false)(all)}`
}

interface Branches {
  readonly byFilter: ReadonlyArray<Branch>
  readonly inOrder: Branch
}

/** What lets a branch be read only when it was chosen: each database looks at another thing before it reads a row. */
const gateOf = ({ limit, sql }: Reading): ((place: number) => Gate) =>
  sql.onDialectOrElse({
    // PostgreSQL plans for the limit that it sees.
    pg: () => (place: number) => ({
      conditions: [sql`(SELECT place FROM chosen) = ${sql.literal(String(place))}`],
      limit: sql`${limit}`
    }),
    // SQLite looks at conditions row by row.
    orElse: () => (place: number) => ({
      conditions: [],
      limit: sql`(SELECT CASE WHEN place = ${sql.literal(String(place))} THEN ${limit} ELSE 0 END FROM chosen)`
    })
  })
