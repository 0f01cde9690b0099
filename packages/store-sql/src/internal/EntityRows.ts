/**
 * What the tables of entities have in common: a row is an entity's whole state as JSON in `data`, beside the columns
 * that it is found by. The columns are written from the state, by commands, and never read back.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import * as Spans from "@parcela/engine/Spans"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment, Statement } from "effect/sql/Statement"
import type { Row } from "../commands/Statement.ts"
import type { Entity, EntityTable } from "./EntityTable.ts"
import { toStoreError } from "./StoreErrors.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface EntityRows<S extends Entity> {
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  /**
   * The states in the rows of a statement, in its order, and what `beside` reads for each of them, in one statement. The
   * statement selects the columns that it is given, and ends with a LIMIT: the rows beside are looked up for its page alone.
   */
  readonly selectBeside: <B>(
    statement: (columns: Fragment) => Fragment,
    beside: Beside<S, B>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
  /** What a statement for `selectAny` selects. */
  readonly columns: Fragment
  /** The states in the rows of a statement that selects the columns that it is given, in its order. */
  readonly select: (statement: (columns: Fragment) => Fragment) => Effect.Effect<ReadonlyArray<S>, StoreError>
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

/**
 * The rows of a table; `port` is for the names of spans.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.fnUntraced(function* <S extends Entity>({
  port,
  table: { name: table, states }
}: {
  readonly port: string
  readonly table: EntityTable<S>
}): Effect.fn.Return<EntityRows<S>, never, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const storeErrors = Effect.mapError(toStoreError(table))
  const columns = sql.literal("data, version, state_version")

  const read = (row: object) => Effect.fromResult(Result.map(states.decode(row), ({ state }) => state))

  const selectAny: EntityRows<S>["selectAny"] = (statement) =>
    storeErrors(Effect.flatMap(statement, (rows) => Effect.forEach(rows, read)))

  const selectBeside: EntityRows<S>["selectBeside"] = (statement, beside) =>
    sql<Row>`
      SELECT ${columns}, ${beside.columns} FROM (
        ${statement(sql`${columns}, ${sql.csv(beside.by.map((name) => sql`${sql(name)}`))}`)}
      ) AS listed
    `.pipe(
      Effect.flatMap((rows) =>
        Effect.forEach(rows, (row) => Effect.flatMap(read(row), (state) => Effect.fromResult(beside.read(state, row))))
      ),
      storeErrors
    )

  return {
    find: Spans.fn(`${port}.find`)(function* (companyId: CompanyId, ref: EntityRef) {
      const named = ref.typeId === "svcPayId" ? sql`id = ${ref.id}` : sql`my_id = ${ref.id}`
      const [found] = yield* selectAny(
        sql`SELECT ${columns} FROM ${sql(table)} WHERE ${sql.and([sql`company_id = ${companyId}`, named])}`
      )
      return Option.fromUndefinedOr(found)
    }),
    columns,
    select: (statement) => selectAny(sql`${statement(columns)}`),
    selectBeside,
    selectAny
  }
})
