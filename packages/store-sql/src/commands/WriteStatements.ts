/**
 * The writes of a set as SQL: for SQLite one statement after another, for PostgreSQL all in one, which commits by itself.
 *
 * @since 0.1.0
 */
import type { CompanyGuard } from "@parcela/engine/commands/WriteSet"
import type { Columns } from "../internal/EntityTable.ts"
import * as Dialect from "./Dialect.ts"
import type { InsertNumbered, RowWrite } from "./RowWrites.ts"
import * as Statement from "./Statement.ts"

/** The place of a value in the text. */
type Bind = (value: Statement.Value) => string

const assignments = (set: Columns, bind: Bind): ReadonlyArray<string> =>
  Object.entries(set).map(([name, value]) => `${name} = ${bind(value)}`)

const conditions = (where: Columns, bind: Bind): string =>
  Object.entries(where)
    .map(([name, value]) => (value === null ? `${name} IS NULL` : `${name} = ${bind(value)}`))
    .join(" AND ")

const deleted = ({ among, where }: Extract<RowWrite, { readonly _tag: "Delete" }>, bind: Bind): string =>
  `${conditions(where, bind)} AND ${among.column} IN (${among.values.map(bind).join(", ")})`

const raised = (set: Columns, bind: Bind): string => ["version = version + 1", ...assignments(set, bind)].join(", ")

const replacing = (row: Columns, keys: ReadonlyArray<string> | undefined): string => {
  if (keys === undefined) return ""
  const others = Object.keys(row).filter((name) => !keys.includes(name))
  if (others.length === 0) return ` ON CONFLICT (${keys.join(", ")}) DO NOTHING`
  return ` ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`
}

/** How many texts are kept: there is one for each table and the columns that are written together. */
const mostTexts = 1_000

/** Texts of SQLite by their shapes: to build one, and to find what was prepared for it, takes longer than to run it. */
const texts = new Map<string, string>()

/** A row under the number of the one that was inserted last. */
interface InsertBeside {
  readonly _tag: "InsertBeside"
  readonly table: string
  readonly key: string
  readonly row: Columns
}

/** A write that is one statement on SQLite. */
type SingleWrite = Exclude<RowWrite, InsertNumbered> | InsertBeside

/** What the text of a write depends on. */
const shapeOf = (write: SingleWrite): string => {
  switch (write._tag) {
    case "Guard":
      return `guard ${write.table} ${Object.keys(write.set).join()}`
    case "Insert":
      return `insert ${write.table} ${write.rows.length} ${Object.keys(write.rows[0] ?? {}).join()} ${write.upsert?.join()}`
    case "InsertBeside":
      return `beside ${write.table} ${write.key} ${Object.keys(write.row).join()}`
    case "Update":
      return `update ${write.table} ${write.versioned} ${Object.keys(write.set).join()} ${askedIn(write.where)}`
    case "Delete":
      return `delete ${write.table} ${askedIn(write.where)} ${write.among.column} ${write.among.values.length}`
  }
}

const askedIn = (where: Columns): string =>
  Object.entries(where)
    .map(([name, value]) => (value === null ? `${name} null` : name))
    .join()

/** The values of a write, in the order of their places in the text. */
const valuesOf = (write: SingleWrite): ReadonlyArray<Statement.Value> => {
  switch (write._tag) {
    case "Guard":
      return [...Object.values(write.set), write.id]
    case "Insert": {
      const names = Object.keys(write.rows[0] ?? {})
      return write.rows.flatMap((row) => names.map((name) => row[name] ?? null))
    }
    case "InsertBeside":
      return Object.values(write.row)
    case "Update":
      return [...Object.values(write.set), ...known(write.where)]
    case "Delete":
      return [...known(write.where), ...write.among.values]
  }
}

const known = (where: Columns): ReadonlyArray<Statement.Value> => Object.values(where).filter((value) => value !== null)

/**
 * A write for SQLite. A guard is what changed of its root: that it did not move is known there.
 *
 * @category conversions
 * @since 0.1.0
 */
export const statementsOf = (write: RowWrite): ReadonlyArray<Statement.Statement> => {
  if (write._tag !== "InsertNumbered") return [single(write)]
  const { beside: other, key, rows, table } = write
  return rows.flatMap(({ beside, own }) => [
    single({ _tag: "Insert", table, rows: [own] }),
    single({ _tag: "InsertBeside", table: other, key, row: beside })
  ])
}

const single = (write: SingleWrite): Statement.Statement => {
  const shape = shapeOf(write)
  let text = texts.get(shape)
  if (text === undefined) {
    if (texts.size >= mostTexts) texts.clear()
    text = textOf(write)
    texts.set(shape, text)
  }
  return { text, values: valuesOf(write) }
}

const textOf = (write: SingleWrite): string =>
  Statement.make(Dialect.sqlite, (bind) => {
    switch (write._tag) {
      case "Guard":
        return `UPDATE ${write.table} SET ${raised(write.set, bind)} WHERE id = ${bind(write.id)}`
      case "Insert": {
        const [first] = write.rows
        const names = Object.keys(first ?? {})
        const rows = write.rows.map((row) => `(${names.map((name) => bind(row[name] ?? null)).join(", ")})`)
        return `INSERT INTO ${write.table} (${names.join(", ")}) VALUES ${rows.join(", ")}${replacing(first ?? {}, write.upsert)}`
      }
      case "InsertBeside": {
        const places = Object.values(write.row).map(bind)
        return `INSERT INTO ${write.table} (${[write.key, ...Object.keys(write.row)].join(", ")}) VALUES (${["last_insert_rowid()", ...places].join(", ")})`
      }
      case "Update":
        return `UPDATE ${write.table} SET ${write.versioned ? raised(write.set, bind) : assignments(write.set, bind).join(", ")} WHERE ${conditions(write.where, bind)}`
      case "Delete":
        return `DELETE FROM ${write.table} WHERE ${deleted(write, bind)}`
    }
  }).text

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
export const together = (
  writes: ReadonlyArray<RowWrite>,
  company: CompanyGuard | undefined,
  { isInTurn }: { readonly isInTurn: boolean }
): Statement.Statement =>
  Statement.make(Dialect.postgres, (bind) => {
    const guards = writes.filter((write) => write._tag === "Guard")
    const named = writes.flatMap((write, index) => namedWrites(write, `w${index}`, bind))
    const locks = [
      `turns AS MATERIALIZED (${isInTurn ? "SELECT 1" : turnsOf(guards, bind)})`,
      `company AS MATERIALIZED (${companyOf(company, bind)})`,
      `held AS MATERIALIZED (${heldBy(guards, bind)})`
    ]
    return `WITH ${[...locks, ...named].join(",\n")}\nSELECT 1 AS held FROM held`
  })

type Guards = ReadonlyArray<Extract<RowWrite, { readonly _tag: "Guard" }>>

const turnsOf = (guards: Guards, bind: Bind): string =>
  `SELECT ${["1", ...guards.map(({ id, table }) => Dialect.afterTurnOf(table, `${bind(id)}::bigint`))].join(", ")}`

/** As a foreign key to it is checked, which others may do at the same time. */
const companyOf = (company: CompanyGuard | undefined, bind: Bind): string =>
  company === undefined
    ? "SELECT 1 FROM turns"
    : `SELECT 1 FROM companies WHERE EXISTS (SELECT 1 FROM turns) AND id = ${bind(company.id)} AND restores = ${bind(company.restores)} FOR KEY SHARE`

const heldBy = (guards: Guards, bind: Bind): string => {
  const locked = guards.map(
    ({ id, table, version }, index) =>
      `(SELECT 1 FROM ${table} WHERE id = ${bind(id)} AND version = ${bind(version)} AND EXISTS (SELECT 1 FROM company) ${Dialect.postgres.locking}) AS g${index}`
  )
  return `SELECT 1 FROM ${["company", ...locked].join(", ")}`
}

const namedWrites = (write: RowWrite, name: string, bind: Bind): ReadonlyArray<string> => {
  if (write._tag !== "InsertNumbered") return [`${name} AS (${guarded(write, bind)})`]
  const { key, rows, table } = write
  const own = insertOf({ table, rows: rows.map(({ own }) => own) }, bind)
  return [`${name} AS (${own} RETURNING ${key})`, `${name}_beside AS (${besideOf(name, write, bind)})`]
}

const guarded = (write: Exclude<RowWrite, InsertNumbered>, bind: Bind): string => {
  switch (write._tag) {
    case "Guard":
      return `UPDATE ${write.table} SET ${raised(write.set, bind)} FROM held WHERE ${write.table}.id = ${bind(write.id)}`
    case "Insert":
      return insertOf(write, bind)
    case "Update": {
      const set = write.versioned ? raised(write.set, bind) : assignments(write.set, bind).join(", ")
      return `UPDATE ${write.table} SET ${set} FROM held WHERE ${conditions(write.where, bind)}`
    }
    case "Delete":
      return `DELETE FROM ${write.table} USING held WHERE ${deleted(write, bind)}`
  }
}

/** The rows beside those that `inserted` returns the numbers of: in the order of the numbers, as they were given in it. */
const besideOf = (inserted: string, { beside, key, rows }: InsertNumbered, bind: Bind): string => {
  const names = Object.keys(rows[0]?.beside ?? {})
  const values = rows.map(
    (row, index) => `(${[index + 1, ...names.map((name) => typed(row.beside[name], bind))].join(", ")})`
  )
  return `INSERT INTO ${beside} (${[key, ...names].join(", ")})
    SELECT ${[`numbered.${key}`, ...names.map((name) => `given.${name}`)].join(", ")}
    FROM (SELECT ${key}, row_number() OVER (ORDER BY ${key}) AS place FROM ${inserted}) AS numbered
    JOIN (VALUES ${values.join(", ")}) AS given (${["place", ...names].join(", ")}) USING (place)`
}

const typed = (value: Statement.Value | undefined, bind: Bind): string =>
  value === null || value === undefined ? "NULL" : `${bind(value)}::${typeof value === "number" ? "bigint" : "text"}`

/**
 * Several rows in their order, which numbers of the database follow. Parameters in a list of rows have no type of their
 * own; a column that is null in every row is left out, since a list of nulls would have the wrong one.
 */
const insertOf = (
  { rows, table, upsert }: Omit<Extract<RowWrite, { readonly _tag: "Insert" }>, "_tag">,
  bind: Bind
): string => {
  const [first = {}] = rows
  const names = Object.keys(first).filter((name) => rows.some((row) => row[name] !== null))
  const values = rows.map((row) => `(${names.map((name) => typed(row[name], bind)).join(", ")})`)
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT given.* FROM held, (VALUES ${values.join(", ")}) AS given${replacing(first, upsert)}`
}
