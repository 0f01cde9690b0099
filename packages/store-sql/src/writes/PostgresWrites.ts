/**
 * The writes of a command on PostgreSQL: one statement, which commits by itself.
 *
 * @since 0.1.0
 */
import type { CompanyGuard } from "@parcela/engine/command/WriteSet"
import * as Dialect from "../sql/Dialect.ts"
import {
  assignments,
  conditions,
  type CountWrite,
  equalities,
  type InsertNumbered,
  type InsertShape,
  onConflict,
  type RowWrite,
  type Values
} from "../sql/RowWrite.ts"
import * as Statement from "../sql/Statement.ts"

type Bind = (value: Statement.Value) => string

/**
 * All writes for PostgreSQL as one statement, which returns one row when the guards held and none when one had moved:
 * then nothing is written.
 *
 * **Details**
 *
 * A first run waits until no rerun has the turn of its guards, and has locked nothing then: reruns would lose to first runs
 * again and again. Then the company's row is locked, so that a restore of the company comes before all of the set or after it; then the
 * guards' rows. A lock that waited looks at the row anew, so the version that it finds is the one that the writes rest on.
 *
 * @category conversions
 * @since 0.1.0
 */
export const writeStatement = (
  writes: ReadonlyArray<RowWrite>,
  company: CompanyGuard | undefined,
  { isLocked }: { readonly isLocked: boolean }
): Statement.Statement =>
  Statement.make(Dialect.postgres, (bind) => {
    const guards = writes.filter((write) => write._tag === "Guard")
    const named = writes.flatMap((write, index) => namedWrites(write, `w${index}`, bind))
    const locks = [
      `turns AS MATERIALIZED (${isLocked ? "SELECT 1" : turnsOf(guards, bind)})`,
      `company AS MATERIALIZED (${companyOf(company, bind)})`,
      `held AS MATERIALIZED (${heldBy(guards, bind)})`
    ]
    return `WITH ${[...locks, ...named].join(",\n")}\nSELECT 1 AS held FROM held`
  })

type Guards = ReadonlyArray<Extract<RowWrite, { readonly _tag: "Guard" }>>

type DeleteWrite = Extract<RowWrite, { readonly _tag: "Delete" }>

const turnsOf = (guards: Guards, bind: Bind): string =>
  `SELECT ${["1", ...guards.map(({ id, shape }) => Dialect.sharedAdvisoryLock(shape.table, `${bind(id)}::bigint`))].join(", ")}`

/** As a foreign key to it is checked, which others may do at the same time. */
const companyOf = (company: CompanyGuard | undefined, bind: Bind): string =>
  company === undefined
    ? "SELECT 1 FROM turns"
    : `SELECT 1 FROM companies WHERE EXISTS (SELECT 1 FROM turns) AND id = ${bind(company.id)} AND restores = ${bind(company.restores)} AND version = ${bind(company.version)} FOR KEY SHARE`

const heldBy = (guards: Guards, bind: Bind): string => {
  const locked = guards.map(
    ({ id, shape: { table }, version }, index) =>
      `(SELECT 1 FROM ${table} WHERE id = ${bind(id)} AND version = ${bind(version)} AND EXISTS (SELECT 1 FROM company) FOR NO KEY UPDATE) AS g${index}`
  )
  return `SELECT 1 FROM ${["company", ...locked].join(", ")}`
}

const namedWrites = (write: RowWrite, name: string, bind: Bind): ReadonlyArray<string> => {
  // Triggers count there: a statement writes no row twice, and may write the customer's already.
  if (write._tag === "Count") return []
  if (write._tag !== "InsertNumbered") return [`${name} AS (${guarded(write, bind)})`]
  const { key, rows, shape } = write
  const own = insertOf(
    shape,
    rows.map(({ own }) => own),
    bind
  )
  return [`${name} AS (${own} RETURNING ${key})`, `${name}_beside AS (${besideOf(name, write, bind)})`]
}

const guarded = (write: Exclude<RowWrite, CountWrite | InsertNumbered>, bind: Bind): string => {
  switch (write._tag) {
    case "Guard":
      return `UPDATE ${write.shape.table} SET ${assignments(write.shape, write.set, bind)} FROM held WHERE ${write.shape.table}.id = ${bind(write.id)}`
    case "Insert":
      return insertOf(write.shape, write.rows, bind)
    case "Update":
      return `UPDATE ${write.shape.table} SET ${assignments(write.shape, write.set, bind)} FROM held WHERE ${conditions(write.shape, write.where, bind)}`
    case "Delete":
      return `DELETE FROM ${write.shape.table} USING held WHERE ${deleted(write, bind)}`
  }
}

const deleted = ({ among, shape, where }: DeleteWrite, bind: Bind): string =>
  [...equalities(shape.where, where, bind), `${shape.among} IN (${among.map(bind).join(", ")})`].join(" AND ")

/** The rows beside those that `inserted` returns the numbers of: in the order of the numbers, as they were given in it. */
const besideOf = (inserted: string, { beside: { columns, table }, key, rows }: InsertNumbered, bind: Bind): string => {
  const values = rows.map(
    ({ beside }, index) => `(${[index + 1, ...beside.map((value) => typed(value, bind))].join(", ")})`
  )
  return `INSERT INTO ${table} (${[key, ...columns].join(", ")})
    SELECT ${[`numbered.${key}`, ...columns.map((name) => `given.${name}`)].join(", ")}
    FROM (SELECT ${key}, row_number() OVER (ORDER BY ${key}) AS place FROM ${inserted}) AS numbered
    JOIN (VALUES ${values.join(", ")}) AS given (${["place", ...columns].join(", ")}) USING (place)`
}

const typed = (value: Statement.Value | undefined, bind: Bind): string =>
  value === null || value === undefined ? "NULL" : `${bind(value)}::${typeof value === "number" ? "bigint" : "text"}`

/**
 * Several rows in their order, which numbers of the database follow. Parameters in a list of rows have no type of their
 * own; a column that is null in every row is left out, since a list of nulls would have the wrong one.
 */
const insertOf = (shape: InsertShape, rows: ReadonlyArray<Values>, bind: Bind): string => {
  const { columns, table } = shape
  const places = [...columns.keys()].filter((place) => rows.some((row) => row[place] !== null))
  const names = places.map((place) => columns[place])
  const values = rows.map((row) => `(${places.map((place) => typed(row[place], bind)).join(", ")})`)
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT given.* FROM held, (VALUES ${values.join(", ")}) AS given${onConflict(shape)}`
}
