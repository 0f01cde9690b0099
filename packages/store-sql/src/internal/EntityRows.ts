/**
 * What the tables of entities have in common: a row is an entity's whole state as JSON in `data`, beside the columns
 * that it is found by. The columns are written from the state and never read back.
 *
 * **Details**
 *
 * `version` rises with every update, and an update names the version that its decision was made on. When no row has it,
 * nothing is written and the unit of work is run again. `updated` writes the columns that differ.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment, Statement } from "effect/sql/Statement"
import type { Row } from "../commands/Statement.ts"
import { changedColumns, type Entity, type EntityTable } from "./EntityTable.ts"
import { missingRow, toStoreError } from "./StoreErrors.ts"
import { lockedInRerun, lockedRow, noteRead, noteWritten, type SeenRow, seenRow } from "./Unit.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface EntityRows<S extends Entity> {
  readonly insert: (state: S) => Effect.Effect<void, StoreError>
  /** A state whose row is not there is a defect: nothing is written, and nobody may believe that it was. */
  readonly update: (state: S) => Effect.Effect<void, StoreError>
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  readonly findForUpdate: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  /** The states of a company that meet all `conditions`; `rest` follows the conditions (`ORDER BY ..`). */
  readonly select: (
    companyId: CompanyId,
    conditions: ReadonlyArray<Fragment>,
    rest: Fragment
  ) => Effect.Effect<ReadonlyArray<S>, StoreError>
  /**
   * As `select`, and what `beside` reads for each of the rows, in the same statement. `rest` ends with a LIMIT: the rows
   * beside are looked up for the page alone, and the page keeps its order.
   */
  readonly selectBeside: <B>(
    companyId: CompanyId,
    conditions: ReadonlyArray<Fragment>,
    rest: Fragment,
    beside: Beside<S, B>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
  /** Ends a statement that finds one row: in a unit that runs again the row is locked. */
  readonly lockedOnRerun: Effect.Effect<Fragment>
  /** What a statement for `selectAny` selects. */
  readonly columns: Fragment
  /** The states in the rows of a statement that selects `columns`, of whatever companies. */
  readonly selectAny: (statement: Statement<object>) => Effect.Effect<ReadonlyArray<S>, StoreError>
}

/**
 * What is read beside the rows of a page. It is looked up by subqueries, not by joins: those keep the order that an index
 * gave the page, and nothing is sorted again.
 *
 * @category models
 * @since 0.1.0
 */
export interface Beside<S, B> {
  /** The columns of a row that the subqueries need. */
  readonly by: ReadonlyArray<string>
  /** Subqueries, one for each column of what is beside; the row is called `listed`. */
  readonly columns: Fragment
  readonly read: (state: S, row: Row) => Result.Result<B, StoreError>
}

/**
 * A state of another table, which the column `by` of a row refers to: the columns that `stateOf` reads.
 *
 * @category constructors
 * @since 0.1.0
 */
export const stateBeside = (sql: SqlClient.SqlClient, table: string, alias: string, by: string): Fragment =>
  sql.csv(
    ["data", "version", "state_version"].map((column) =>
      sql.literal(`(SELECT ${column} FROM ${table} WHERE id = listed.${by}) AS ${alias}_${column}`)
    )
  )

/** What a table of entities says of itself. */
interface Options<S extends Entity> {
  /** The port, for the names of spans. */
  readonly port: string
  readonly table: EntityTable<S>
  /** Columns that the database fills in when a row is inserted, and that never change. */
  readonly derived?: (state: S) => Readonly<Record<string, Fragment>>
  /** Writes what follows from a state in other tables; `before` is absent when it is new. */
  readonly follow?: (before: S | undefined, next: S) => Effect.Effect<void, SqlError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <S extends Entity>(
  options: Options<S>
): Effect.fn.Return<EntityRows<S>, never, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  return { ...reading(sql, options), ...writing(sql, options) }
})

const columnsOf = (sql: SqlClient.SqlClient): Fragment => sql.literal("data, version, state_version")

const reading = <S extends Entity>(
  sql: SqlClient.SqlClient,
  { port, table: { name: table, states } }: Options<S>
): Omit<EntityRows<S>, "insert" | "update"> => {
  const storeErrors = Effect.mapError(toStoreError(table))
  const columns = columnsOf(sql)
  const locked = lockedRow(sql)
  const lockedOnRerun = lockedInRerun(sql)

  const read = (row: object) =>
    Effect.flatMap(Effect.fromResult(states.decode(row)), (seen) =>
      Effect.as(noteRead(table, seen.state.id, seen), seen.state)
    )

  const selectAny: EntityRows<S>["selectAny"] = (statement) =>
    storeErrors(Effect.flatMap(statement, (rows) => Effect.forEach(rows, read)))

  const select: EntityRows<S>["select"] = (companyId, conditions, rest) =>
    selectAny(sql`
      SELECT ${columns} FROM ${sql(table)}
      WHERE ${sql.and([sql`company_id = ${companyId}`, ...conditions])} ${rest}
    `)

  const selectBeside: EntityRows<S>["selectBeside"] = (companyId, conditions, rest, beside) =>
    sql<Row>`
      SELECT ${columns}, ${beside.columns} FROM (
        SELECT ${columns}, ${sql.csv(beside.by.map((name) => sql`${sql(name)}`))} FROM ${sql(table)}
        WHERE ${sql.and([sql`company_id = ${companyId}`, ...conditions])} ${rest}
      ) AS listed
    `.pipe(
      Effect.flatMap((rows) =>
        Effect.forEach(rows, (row) => Effect.flatMap(read(row), (state) => Effect.fromResult(beside.read(state, row))))
      ),
      storeErrors
    )

  const readOne = (companyId: CompanyId, ref: EntityRef, rest: Fragment) =>
    Effect.map(
      select(companyId, [ref.typeId === "svcPayId" ? sql`id = ${ref.id}` : sql`my_id = ${ref.id}`], rest),
      (states) => Option.fromUndefinedOr(states[0])
    )

  return {
    find: Effect.fn(`${port}.find`)(function* (companyId: CompanyId, ref: EntityRef) {
      return yield* readOne(companyId, ref, yield* lockedOnRerun)
    }),
    findForUpdate: Effect.fn(`${port}.findForUpdate`)(function* (companyId: CompanyId, ref: EntityRef) {
      return yield* readOne(companyId, ref, locked)
    }),
    lockedOnRerun,
    columns,
    select,
    selectBeside,
    selectAny
  }
}

const writing = <S extends Entity>(
  sql: SqlClient.SqlClient,
  { derived, follow, port, table: { name: table, row, states } }: Options<S>
): Pick<EntityRows<S>, "insert" | "update"> => {
  const storeErrors = Effect.mapError(toStoreError(table))

  const inserted = (state: S) => {
    const columns = row(state)
    if (derived === undefined) return sql`${sql.insert(columns)}`
    const others = derived(state)
    return sql`(${sql.csv([...Object.keys(columns), ...Object.keys(others)].map((name) => sql`${sql(name)}`))})
      VALUES (${sql.csv([...Object.values(columns).map((value) => sql`${value}`), ...Object.values(others)])})`
  }

  /** The row that a state is to replace: as its unit has seen it, or as it stands. */
  const replaced = Effect.fnUntraced(function* ({ companyId, id }: S) {
    const seen = yield* seenRow(table, id)
    // A cast: only this table's rows are noted under its name.
    if (seen !== undefined) return seen as SeenRow & { readonly state: S }
    const [found] =
      yield* sql`SELECT ${columnsOf(sql)} FROM ${sql(table)} WHERE company_id = ${companyId} AND id = ${id}`
    return found === undefined
      ? yield* Effect.die(missingRow(table, id))
      : yield* Effect.fromResult(states.decode(found))
  })

  return {
    insert: Effect.fn(`${port}.insert`)(function* (state: S) {
      yield* sql`INSERT INTO ${sql(table)} ${inserted(state)}`
      if (follow !== undefined) yield* follow(undefined, state)
    }, storeErrors),

    update: Effect.fn(`${port}.update`)(function* (state: S) {
      const before = yield* replaced(state)
      if (before.state.companyId !== state.companyId) return yield* Effect.die(missingRow(table, state.id))
      const next = row(state)
      const columns = changedColumns({ ...row(before.state, before.data), state_version: before.stateVersion }, next)
      const updated = yield* sql`
        UPDATE ${sql(table)} SET ${sql.update({ ...columns, version: before.version + 1 })}
        WHERE id = ${state.id} AND version = ${before.version} RETURNING id
      `
      if (updated.length === 0) return yield* new StoreError({ reason: new Changed({ table }) })
      if (follow !== undefined) yield* follow(before.state, state)
      const { data, state_version: stateVersion } = next
      yield* noteWritten(table, state.id, { version: before.version + 1, stateVersion, data, state })
    }, storeErrors)
  }
}
