/**
 * Statements that only read.
 *
 * **Details**
 *
 * On SQLite a statement runs at once, without the client, and has what was committed. While a fiber stands in a transaction, or
 * somebody takes spans or statements, it goes by the client as all others do.
 *
 * @since 0.1.0
 */
import { SqliteReads } from "@parcela/sqlite/SqliteReads"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as SqlStatement from "effect/sql/Statement"
import * as Tracer from "effect/Tracer"
import * as Dialect from "./Dialect.ts"
import type * as Statement from "./Statement.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface Reads {
  readonly dialect: Dialect.Dialect
  /** The rows of a statement, in its order: on SQLite they are read when this is called, so it is called where they are wanted. */
  readonly rows: (statement: Statement.Statement) => Effect.Effect<ReadonlyArray<Statement.Row>, SqlError>
}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make: Effect.Effect<Reads, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // A database of SQLite brings it with its client.
  const sqlite = yield* Effect.serviceOption(SqliteReads)
  const byClient = ({ isPlannedForValues, text, values }: Statement.Statement) => {
    const statement = sql.unsafe<Statement.Row>(text, values)
    return isPlannedForValues === true ? statement.unprepared : statement
  }
  return {
    dialect: sql.onDialectOrElse({ pg: () => Dialect.postgres, orElse: () => Dialect.sqlite }),
    rows: Option.match(sqlite, {
      onNone: () => byClient,
      onSome:
        ({ read }) =>
        (statement) =>
          isWatched() ? byClient(statement) : (read(statement.text, statement.values) ?? byClient(statement))
    })
  }
})

/** Whether the fiber that is running has its spans or statements taken. */
const isWatched = (): boolean => {
  const fiber = Fiber.getCurrent()
  if (fiber === undefined) return true
  const { context } = fiber
  return (
    Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer ||
    Context.get(context, SqlStatement.CurrentTransformer) !== undefined
  )
}
