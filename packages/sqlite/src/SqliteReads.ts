/**
 * Statements that read at once: without a span, a permit or a suspension.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { isLost, type Prepared, readQuery, refused } from "./SqliteConnection.ts"
import { memory, type SqliteDatabase } from "./SqliteDatabase.ts"
import { fromThrown } from "./SqliteErrors.ts"
import type { StatementCache } from "./StatementCache.ts"
import type { UnitsOnConnection } from "./SqliteUnits.ts"
import { bind } from "./SqliteValues.ts"

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteReads extends Context.Service<
  SqliteReads,
  {
    /**
     * The rows of a statement, read before this returns, as the last commit left them; what another process commits is seen by the
     * next callback of the event loop. Undefined while a fiber stands inside a transaction, whose rows are nobody else's to see, and in
     * memory while units write: then the statement is for the client, which waits.
     */
    readonly read: (
      text: string,
      values: ReadonlyArray<unknown>
    ) => Effect.Effect<ReadonlyArray<Readonly<Record<string, unknown>>>, SqlError> | undefined
  }
>()("@parcela/sqlite/SqliteReads") {}

/**
 * Reads on the connection that writes, and on `beside` while units have written what is not committed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  { filename, native, place, snapshot }: SqliteDatabase,
  units: Pick<UnitsOnConnection, "areWriting">,
  cache: StatementCache<Prepared>,
  beside: StatementCache<Prepared> | undefined
): SqliteReads["Service"] => ({
  read: (text, values) => {
    if (!native.isOpen) return undefined
    const statements = !native.isTransaction ? cache : units.areWriting() ? beside : undefined
    if (statements === undefined) return undefined
    const bound = bind(values)
    if (!Array.isArray(bound)) return Effect.fail(refused(bound, "execute"))
    if (place !== undefined && isLost(place, text)) return Effect.fail(place.failure("execute"))
    try {
      if (statements === cache && filename !== memory) snapshot.begin()
      return Effect.succeed(readQuery(statements.get(text), bound))
    } catch (thrown) {
      return Effect.fail(fromThrown(thrown, filename, "execute"))
    }
  }
})
