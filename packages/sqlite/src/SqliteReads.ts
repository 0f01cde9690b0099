/**
 * Statements that read at once: without a span, a permit or a suspension.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isLost, type Prepared, readQuery, refused } from "./SqliteConnection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { fromThrown } from "./SqliteErrors.ts"
import type { StatementCache } from "./StatementCache.ts"
import { bind } from "./SqliteValues.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteReads extends Context.Service<
  SqliteReads,
  {
    /**
     * The rows of a statement, read before this returns; undefined while a fiber stands inside a transaction, whose rows
     * are nobody else's to see: then the statement is for the client, which waits.
     */
    readonly read: (
      text: string,
      values: ReadonlyArray<unknown>
    ) => Effect.Effect<ReadonlyArray<Readonly<Record<string, unknown>>>, SqlError> | undefined
  }
>()("@parcela/sqlite/SqliteReads") {}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  { filename, native, place }: SqliteDatabase,
  cache: StatementCache<Prepared>
): SqliteReads["Service"] => ({
  read: (text, values) => {
    if (!native.isOpen || native.isTransaction) return undefined
    const bound = bind(values)
    if (!Array.isArray(bound)) return Effect.fail(refused(bound, "execute"))
    if (place !== undefined && isLost(place, text)) return Effect.fail(place.failure("execute"))
    try {
      return Effect.succeed(readQuery(cache.get(text), bound))
    } catch (thrown) {
      return Effect.fail(fromThrown(thrown, filename, "execute"))
    }
  }
})
