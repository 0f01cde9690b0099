/**
 * The writes of a set as SQL: for SQLite one statement after another, for PostgreSQL all in one, which commits by itself.
 *
 * @since 0.1.0
 */
import type { CompanyGuard } from "@parcela/engine/command/WriteSet"
import type { DeleteShape, InsertShape, Names, UpdateShape, Upsert, Values } from "../internal/Shapes.ts"
import { countContracts } from "../tables/Customers.ts"
import * as Dialect from "./Dialect.ts"
import type { CountWrite, InsertNumbered, RowWrite } from "./RowWrite.ts"
import * as Statement from "./Statement.ts"
import type { Transaction } from "@parcela/sqlite/GroupCommit"
import { SerializationError, SqlError } from "effect/sql/SqlError"

/** The place of a value in the text. */
type Bind = (value: Statement.Value) => string

const assignments = ({ set, versioned }: UpdateShape, values: Values, bind: Bind): string =>
  [...(versioned ? ["version = version + 1"] : []), ...equal(set, values, bind)].join(", ")

const equal = (columns: Names, values: Values, bind: Bind): ReadonlyArray<string> =>
  columns.map((name, place) => `${name} = ${bind(values[place] ?? null)}`)

const conditions = ({ empty = [], where }: UpdateShape, values: Values, bind: Bind): string =>
  [...equal(where, values, bind), ...empty.map((name) => `${name} IS NULL`)].join(" AND ")

const deleted = ({ among, where }: DeleteShape, values: Values, all: Values, bind: Bind): string =>
  [...equal(where, values, bind), `${among} IN (${all.map(bind).join(", ")})`].join(" AND ")

const replacing = (columns: Names, upsert: Upsert | undefined): string => {
  if (upsert === undefined) return ""
  const others = columns.filter((name) => !upsert.key.includes(name) && !upsert.fixed.includes(name))
  const key = upsert.key.join(", ")
  if (others.length === 0) return ` ON CONFLICT (${key}) DO NOTHING`
  return ` ON CONFLICT (${key}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`
}

/** How many texts are kept for a shape, one for each number of values that are not its columns'. */
const mostTexts = 100

/** Texts of SQLite, which are kept with their shapes: to build one takes longer than to run it. */
const kept = <S extends object>(
  write: (shape: S, count: number, bind: Bind) => string
): ((shape: S, count: number) => string) => {
  const known = new WeakMap<S, Map<number, string>>()
  return (shape, count) => {
    let texts = known.get(shape)
    if (texts === undefined) known.set(shape, (texts = new Map()))
    let text = texts.get(count)
    if (text === undefined) {
      if (texts.size >= mostTexts) texts.clear()
      text = Statement.make(Dialect.sqlite, (bind) => write(shape, count, bind)).text
      texts.set(count, text)
    }
    return text
  }
}

const times = (count: number): Values => new Array<null>(count).fill(null)

const insertText = kept(({ columns, table, upsert }: InsertShape, _, bind) => {
  const places = columns.map(() => bind(null))
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places.join(", ")})${replacing(columns, upsert)}`
})

/** A row under the number of the one that was inserted last: `key` is what it has beside its own columns. */
const besideText = (key: string) =>
  kept(({ columns, table }: InsertShape, _, bind) => {
    const places = columns.map(() => bind(null))
    return `INSERT INTO ${table} (${[key, ...columns].join(", ")}) VALUES (${["last_insert_rowid()", ...places].join(", ")})`
  })

const updateText = kept(
  (shape: UpdateShape, _, bind) =>
    `UPDATE ${shape.table} SET ${assignments(shape, [], bind)} WHERE ${conditions(shape, [], bind)}`
)

const guardText = kept(
  (shape: UpdateShape, _, bind) =>
    `UPDATE ${shape.table} SET ${assignments(shape, [], bind)} WHERE ${conditions(shape, [], bind)} AND version = ${bind(null)}`
)

/** A company that was restored since it was loaded may have rows with their old versions again. */
const guardOfCompanyText = kept(
  (shape: UpdateShape, _, bind) =>
    `UPDATE ${shape.table} SET ${assignments(shape, [], bind)} WHERE ${conditions(shape, [], bind)} AND version = ${bind(null)}
      AND EXISTS (SELECT 1 FROM companies WHERE id = ${bind(null)} AND restores = ${bind(null)})`
)

const deleteText = kept(
  (shape: DeleteShape, count, bind) => `DELETE FROM ${shape.table} WHERE ${deleted(shape, [], times(count), bind)}`
)

const besideTexts = new Map<string, ReturnType<typeof besideText>>()

/** For the few tables whose rows have others beside them. */
const besideTextOf = (key: string): ReturnType<typeof besideText> => {
  const text = besideTexts.get(key) ?? besideText(key)
  besideTexts.set(key, text)
  return text
}

/**
 * Runs a write on SQLite, as one statement or as several. Throws an `SqlError`; a guard that has moved is a `SerializationError`.
 * Each row that is inserted has a statement of its own: of one with several rows SQLite keeps every page as it was, in a file,
 * until it knows that none of them was refused.
 *
 * @category conversions
 * @since 0.1.0
 */
export const runOnSqlite = (
  write: RowWrite,
  company: CompanyGuard | undefined,
  { change, write: run }: Pick<Transaction, "change" | "write">
): void => {
  switch (write._tag) {
    case "Guard": {
      const { id, set, shape, version } = write
      const changed =
        company === undefined
          ? change(guardText(shape, 0), [...set, id, version])
          : change(guardOfCompanyText(shape, 0), [...set, id, version, company.id, company.restores])
      if (changed === 0) throw movedGuard(shape.table, id)
      return
    }
    case "Insert":
      for (const row of write.rows) run(insertText(write.shape, 0), row)
      return
    case "InsertNumbered": {
      const beside = besideTextOf(write.key)
      for (const row of write.rows) {
        run(insertText(write.shape, 0), row.own)
        run(beside(write.beside, 0), row.beside)
      }
      return
    }
    case "Update":
      run(updateText(write.shape, 0), [...write.set, ...write.where])
      return
    case "Delete":
      run(deleteText(write.shape, write.among.length), [...write.where, ...write.among])
      return
    case "Count":
      run(countContracts, [write.by, write.customerId])
  }
}

/** What a database with concurrent writers fails with when a row was changed since it was read. */
const movedGuard = (table: string, id: number): SqlError => {
  const message = `Row ${id} of ${table} was changed since it was loaded`
  return new SqlError({
    reason: new SerializationError({ cause: new Error(message), message, operation: "execute" })
  })
}

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
  `SELECT ${["1", ...guards.map(({ id, shape }) => Dialect.afterTurnOf(shape.table, `${bind(id)}::bigint`))].join(", ")}`

/** As a foreign key to it is checked, which others may do at the same time. */
const companyOf = (company: CompanyGuard | undefined, bind: Bind): string =>
  company === undefined
    ? "SELECT 1 FROM turns"
    : `SELECT 1 FROM companies WHERE EXISTS (SELECT 1 FROM turns) AND id = ${bind(company.id)} AND restores = ${bind(company.restores)} FOR KEY SHARE`

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
      return `DELETE FROM ${write.shape.table} USING held WHERE ${deleted(write.shape, write.where, write.among, bind)}`
  }
}

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
const insertOf = ({ columns, table, upsert }: InsertShape, rows: ReadonlyArray<Values>, bind: Bind): string => {
  const places = [...columns.keys()].filter((place) => rows.some((row) => row[place] !== null))
  const names = places.map((place) => columns[place])
  const values = rows.map((row) => `(${places.map((place) => typed(row[place], bind)).join(", ")})`)
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT given.* FROM held, (VALUES ${values.join(", ")}) AS given${replacing(columns, upsert)}`
}
