/**
 * Reads states from the tables of entities.
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
import { toStoreError } from "../sql/StoreErrors.ts"
import { type Entity, type EntityTable, refersTo, stateColumns } from "../tables/Entities.ts"
import type * as References from "./References.ts"

/**
 * Builds the text of a statement that selects `columns`.
 *
 * @category models
 * @since 0.1.0
 */
export type Select = (columns: string, builder: Statement.Builder) => string

/**
 * Builds a statement that selects `columns`.
 *
 * @category models
 * @since 0.1.0
 */
export type Query = (columns: string, dialect: Dialect) => Statement.Statement

/**
 * A query whose text is built at each call.
 *
 * @category conversions
 * @since 0.1.0
 */
export const queryOf =
  (select: Select): Query =>
  (columns, dialect) =>
    Statement.make(dialect, (bind) => select(columns, { dialect, bind }))

/**
 * The reads of one table.
 *
 * @category models
 * @since 0.1.0
 */
export interface EntityRows<S extends Entity> {
  readonly find: (companyId: CompanyId, ref: EntityRef) => Effect.Effect<Option.Option<S>, StoreError>
  /** The states of a statement, in its order. */
  readonly select: (statement: Select) => Effect.Effect<ReadonlyArray<S>, StoreError>
  /** The results of `read` for each row of a query, which also selects `columns`. */
  readonly selectWith: <B>(
    query: Query,
    columns: ReadonlyArray<string>,
    read: (state: S, row: Statement.Row) => Result.Result<B, StoreError>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
  /** The results of `read` for each row, with the states of other tables to which the row refers. A second statement reads those states. */
  readonly selectReferring: <R extends References.Tables, B>(
    query: Query,
    references: References.References<R>,
    read: (state: S, found: References.Found<R>) => Result.Result<B, StoreError>
  ) => Effect.Effect<ReadonlyArray<B>, StoreError>
}

/** The most rereads of a page: a restore or a reset of the company between its two statements may remove its rows. */
const maxRereads = 3

/**
 * The reads of a table. `port` is a part of the names of spans.
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
    selectWith(queryOf(statement), [], (state) => Result.succeed(state))

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
    selectReferring: <R extends References.Tables, B>(
      query: Query,
      references: References.References<R>,
      read: (state: S, found: References.Found<R>) => Result.Result<B, StoreError>
    ) => {
      const attempt = (left: number): Effect.Effect<ReadonlyArray<B>, StoreError> =>
        storeErrors(
          Effect.flatMap(rowsOf(query, references.columns), (rows) =>
            Effect.flatMap(references.load(sql, rows), ({ foundOf, isWhole }) =>
              isWhole || left === 0
                ? Effect.fromResult(readAll(states, rows, (state, row) => read(state, foundOf(row))))
                : attempt(left - 1)
            )
          )
        )
      return attempt(maxRereads)
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
