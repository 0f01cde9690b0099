/**
 * Whether any fault is planned in the store: nearly always none is, and then nobody looks for the one that befalls a request.
 *
 * **Details**
 *
 * One process has a SQLite file, and remembers one value for each, until a writer of the table says that it wrote: a plan
 * that changes, a fault that is taken, a restore of a company. On PostgreSQL other processes plan too, and nothing is
 * remembered.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

export interface AnyFaults {
  /** False when none is planned. */
  readonly arePlanned: Effect.Effect<boolean, SqlError>
  /** After a write, or within its transaction, whose end a look waits for. */
  readonly forget: Effect.Effect<void>
}

/** One for each client, however many plans are built on it. */
const made = new WeakMap<SqlClient.SqlClient, AnyFaults>()

/** @category constructors */
export const of = (sql: SqlClient.SqlClient): AnyFaults => {
  const known = made.get(sql)
  if (known !== undefined) return known
  const faults = sql.onDialectOrElse({ sqlite: () => onSqlite(sql), orElse: () => notRemembered })
  made.set(sql, faults)
  return faults
}

const notRemembered: AnyFaults = { arePlanned: Effect.succeed(true), forget: Effect.void }

const onSqlite = (sql: SqlClient.SqlClient): AnyFaults => {
  let known: boolean | undefined
  let changes = 0
  return {
    arePlanned: Effect.suspend(() => {
      if (known !== undefined) return Effect.succeed(known)
      const before = changes
      return Effect.map(sql`SELECT id FROM faults LIMIT 1`, ({ length }) => {
        // What was read before a change is not remembered after it.
        if (before === changes) known = length > 0
        return length > 0
      })
    }),
    forget: Effect.sync(() => {
      known = undefined
      changes += 1
    })
  }
}
