/**
 * Work on a SQLite database that runs without a suspension: from its first statement to its COMMIT no fiber stands inside
 * a transaction.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Semaphore from "effect/Semaphore"
import { isLost, type Prepared } from "./SqliteConnection.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { fromThrown } from "./SqliteErrors.ts"
import type { StatementCache } from "./StatementCache.ts"
import { bind, narrowRows } from "./SqliteValues.ts"

/**
 * Statements of one turn. Each throws an `SqlError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqliteTurn {
  readonly all: (text: string, values: ReadonlyArray<unknown>) => ReadonlyArray<Readonly<Record<string, unknown>>>
  /** How many rows a write changed. */
  readonly change: (text: string, values: ReadonlyArray<unknown>) => number
  /** Runs `body` in a transaction: committed when it returns true, rolled back when it returns false or throws. */
  readonly transaction: (body: () => boolean) => boolean
}

/**
 * @category services
 * @since 0.1.0
 */
export class SqliteUnits extends Context.Service<
  SqliteUnits,
  {
    /** Runs `body` when it is its turn, between the transactions of the same client. What it throws is a defect. */
    readonly turn: <A>(body: (turn: SqliteTurn) => A) => Effect.Effect<A>
  }
>()("@parcela/sqlite/SqliteUnits") {}

/**
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  { filename, native, place }: SqliteDatabase,
  cache: StatementCache<Prepared>,
  semaphore: Semaphore.Semaphore
): SqliteUnits["Service"] => {
  const using = <A>(operation: string, text: string, use: () => A): A => {
    if (place !== undefined && isLost(place, text)) throw place.failure(operation)
    try {
      return use()
    } catch (thrown) {
      throw fromThrown(thrown, filename, operation)
    }
  }
  const bound = (values: ReadonlyArray<unknown>) => {
    const parameters = bind(values)
    if (!Array.isArray(parameters)) throw parameters
    return parameters
  }
  const control = (text: string) => using("transaction", text, () => void cache.get(text).statement.run())

  const turn: SqliteTurn = {
    all: (text, values) => using("execute", text, () => narrowRows(cache.get(text).statement.all(...bound(values)))),
    change: (text, values) =>
      using("execute", text, () => Number(cache.get(text).statement.run(...bound(values)).changes)),
    transaction: (body) => {
      control("BEGIN IMMEDIATE")
      let committed = false
      try {
        if (!body()) return false
        control("COMMIT")
        committed = true
        return true
      } finally {
        if (!committed && native.isTransaction) control("ROLLBACK")
      }
    }
  }
  return { turn: (body) => semaphore.withPermits(1)(Effect.sync(() => body(turn))) }
}
