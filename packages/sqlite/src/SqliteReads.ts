/**
 * Reads without a span, a permit or a suspension: the path that every statement outside of a transaction takes which only reads.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { execute, type Prepared, readQuery, type Rows, type StatementCache } from "./Statements.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteReads extends Context.Service<
  SqliteReads,
  {
    /**
     * The rows of a statement, read before this returns, as the last commit left them. Undefined while a transaction of the client is
     * open on the connection, whose rows no other fiber may see: then run the statement with the client, which waits for its end.
     */
    readonly read: (text: string, values: ReadonlyArray<unknown>) => Effect.Effect<Rows, SqlError> | undefined
  }
>()("@parcela/sqlite/SqliteReads") {}

/**
 * Reads on the connection that writes, whose cache of pages a commit of another connection would empty.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (database: SqliteDatabase, cache: StatementCache<Prepared>): SqliteReads["Service"] => ({
  read: (text, values) => {
    const { native } = database
    if (!native.isOpen || native.isTransaction) return undefined
    try {
      return Effect.succeed(execute(database, cache, text, values, readQuery))
    } catch (thrown) {
      return isSqlError(thrown) ? Effect.fail(thrown) : Effect.die(thrown)
    }
  }
})
