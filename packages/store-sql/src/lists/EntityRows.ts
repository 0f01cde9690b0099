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
import { type Dialect, dialectOf } from "../sql/Dialect.ts"
import * as Statement from "../sql/Statement.ts"
import { type Entity, type EntityTable, refersTo, stateColumns } from "../tables/Entities.ts"
import type * as Referred from "./References.ts"
import { toStoreError } from "../sql/StoreErrors.ts"

/**
 * Writes a statement that selects `columns`.
 *
 * @category models
 * @since 0.1.0
 */
export type Select = (columns: string, builder: Statement.Builder) => string

/**
 * The same with its values, where its text may be known already.
 *
 * @category models
 * @since 0.1.0
 */
export type Query = (columns: string, dialect: Dialect) => Statement.Statement

/**
 * A query whose text is put together when it is asked for.
 *
 * @category conversions
 * @since 0.1.0
 */
export const written =
  (select: Select): Query =>
  (columns, dialect) =>
    Statement.make(dialect, (bind) => select(columns, { dialect, bind }))

/**
 * Reads states from the rows of one table.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityRows<S extends Entity> {
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  /** The states in the rows of a statement, in its order. */
  readonly select: (statement: Select) => Effect.Effect<ReadonlyArray<S>, StoreError>
  /** The same, with what `read` makes of each row, which has `columns` beside. */
  readonly selectWith: <B>(
    query: Query,
    columns: ReadonlyArray<string>,
    read: (state: S, row: Statement.Row) => Result.Result<B, StoreError>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
  /** The same, with the states of other tables that the rows refer to, which are read by a second statement. */
  readonly selectReferring: <R extends Referred.Tables, B>(
    query: Query,
    references: Referred.References<R>,
    read: (state: S, found: Referred.Found<R>) => Result.Result<B, StoreError>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
}

/** How often a page is read again whose rows went with a restore or a reset of their company between its two statements. */
const mostTornReads = 3

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
  const dialect = dialectOf(sql)
  const storeErrors = Effect.mapError(toStoreError(table))

  const rowsOf = (query: Query, columns: string) => Statement.run(sql, query(columns, dialect))

  const selectWith: EntityRows<S>["selectWith"] = (query, columns, read) =>
    storeErrors(
      Effect.flatMap(rowsOf(query, [stateColumns, ...columns].join(", ")), (rows) =>
        Effect.fromResult(readAll(states, rows, read))
      )
    )

  const select: EntityRows<S>["select"] = (statement) =>
    selectWith(written(statement), [], (state) => Result.succeed(state))

  return {
    find: Spans.fn(`${port}.find`)(function* (companyId: CompanyId, ref: EntityRef) {
      const [found] = yield* select(
        (columns, { bind }) =>
          `SELECT ${columns} FROM ${table} WHERE company_id = ${bind(companyId)} AND ${refersTo(table, ref.typeId, bind(ref.id))}`
      )
      return Option.fromUndefinedOr(found)
    }),
    select,
    selectWith,
    selectReferring: <R extends Referred.Tables, B>(
      query: Query,
      references: Referred.References<R>,
      read: (state: S, found: Referred.Found<R>) => Result.Result<B, StoreError>
    ) => {
      const attempt = (left: number): Effect.Effect<ReadonlyArray<B>, StoreError> =>
        storeErrors(
          Effect.flatMap(rowsOf(query, references.columns), (rows) =>
            Effect.flatMap(references.look(sql, rows), ({ foundOf, isWhole }) =>
              isWhole || left === 0
                ? Effect.fromResult(readAll(states, rows, (state, row) => read(state, foundOf(row))))
                : attempt(left - 1)
            )
          )
        )
      return attempt(mostTornReads)
    }
  }
})

const readAll = <S extends Entity, B>(
  states: EntityTable<S>["states"],
  rows: ReadonlyArray<Statement.Row>,
  read: (state: S, row: Statement.Row) => Result.Result<B, StoreError>
): Result.Result<ReadonlyArray<B>, StoreError> => {
  const all: Array<B> = []
  for (const row of rows) {
    const decoded = states.decode(row)
    if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
    const one = read(decoded.success.state, row)
    if (Result.isFailure(one)) return Result.fail(one.failure)
    all.push(one.success)
  }
  return Result.succeed(all)
}
