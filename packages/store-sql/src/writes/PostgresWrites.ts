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
} from "../sql/Shapes.ts"
import * as Statement from "../sql/Statement.ts"

type Bind = (value: Statement.Value) => string

/**
 * All writes of a command as one statement. It returns one row if the guards held. If a guard failed, it returns no row and writes nothing.
 *
 * **Details**
 *
 * A first run waits until no rerun holds or awaits the advisory locks of its guards; otherwise reruns would lose to first runs repeatedly.
 * Then the statement locks the company's row, so that a restore of the company happens before or after all of the writes. Then it locks
 * the rows of the guards. A lock that waited reads the row again, so it compares the current version.
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
      `reruns AS MATERIALIZED (${isLocked ? "SELECT 1" : afterReruns(guards, bind)})`,
      `company AS MATERIALIZED (${companyOf(company, bind)})`,
      `held AS MATERIALIZED (${heldBy(guards, bind)})`
    ]
    return `WITH ${[...locks, ...named].join(",\n")}\nSELECT 1 AS held FROM held`
  })

type Guards = ReadonlyArray<Extract<RowWrite, { readonly _tag: "Guard" }>>

type DeleteWrite = Extract<RowWrite, { readonly _tag: "Delete" }>

const afterReruns = (guards: Guards, bind: Bind): string =>
  `SELECT ${["1", ...guards.map(({ id, shape }) => Dialect.sharedAdvisoryLock(shape.table, `${bind(id)}::bigint`))].join(", ")}`

/** The lock of a foreign key check, which several transactions may hold at the same time. */
const companyOf = (company: CompanyGuard | undefined, bind: Bind): string =>
  company === undefined
    ? "SELECT 1 FROM reruns"
    : `SELECT 1 FROM companies WHERE EXISTS (SELECT 1 FROM reruns) AND id = ${bind(company.id)} AND restores = ${bind(company.restores)} AND version = ${bind(company.version)} FOR KEY SHARE`

const heldBy = (guards: Guards, bind: Bind): string => {
  const locked = guards.map(
    ({ id, shape: { table }, version }, index) =>
      `(SELECT 1 FROM ${table} WHERE id = ${bind(id)} AND version = ${bind(version)} AND EXISTS (SELECT 1 FROM company) FOR NO KEY UPDATE) AS g${index}`
  )
  return `SELECT 1 FROM ${["company", ...locked].join(", ")}`
}

const namedWrites = (write: RowWrite, name: string, bind: Bind): ReadonlyArray<string> => {
  // On PostgreSQL triggers count the contracts: a statement cannot write the row of the customer twice.
  if (write._tag === "Count") return []
  if (write._tag !== "InsertNumbered") return [`${name} AS (${guarded(write, bind)})`]
  const { key, rows, shape } = write
  const own = insertOf(
    shape,
    rows.map(({ own }) => own),
    bind
  )
  return [`${name} AS (${own} RETURNING ${key})`, `${name}_related AS (${relatedRows(name, write, bind)})`]
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

/** The related rows of `inserted`, which returns the numbers of its rows in the order of the rows. */
const relatedRows = (
  inserted: string,
  { key, related: { columns, table }, rows }: InsertNumbered,
  bind: Bind
): string => {
  const values = rows.map(
    ({ related }, index) => `(${[index + 1, ...related.map((value) => typed(value, bind))].join(", ")})`
  )
  return `INSERT INTO ${table} (${[key, ...columns].join(", ")})
    SELECT ${[`numbered.${key}`, ...columns.map((name) => `given.${name}`)].join(", ")}
    FROM (SELECT ${key}, row_number() OVER (ORDER BY ${key}) AS row_index FROM ${inserted}) AS numbered
    JOIN (VALUES ${values.join(", ")}) AS given (${["row_index", ...columns].join(", ")}) USING (row_index)`
}

const typed = (value: Statement.Value | undefined, bind: Bind): string =>
  value === null || value === undefined ? "NULL" : `${bind(value)}::${typeof value === "number" ? "bigint" : "text"}`

/**
 * Inserts rows in their order, in which the database numbers them. A parameter in a list of rows has no type, so each has a cast. A column
 * that is null in every row is left out, because a list of nulls would have the wrong type.
 */
const insertOf = (shape: InsertShape, rows: ReadonlyArray<Values>, bind: Bind): string => {
  const { columns, table } = shape
  const indexes = [...columns.keys()].filter((index) => rows.some((row) => row[index] !== null))
  const names = indexes.map((index) => columns[index])
  const values = rows.map((row) => `(${indexes.map((index) => typed(row[index], bind)).join(", ")})`)
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT given.* FROM held, (VALUES ${values.join(", ")}) AS given${onConflict(shape)}`
}
