/**
 * A change of many rows in steps: each step is a statement over a bounded number of rows, and a commit of its own, so
 * that no writer waits for all of them. A walk that a crash cut off is begun anew.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/** How many rows a step goes through. */
const stepLength = 500

/**
 * Which rows are walked over: those of `table` where `among` holds.
 *
 * @category models
 * @since 0.1.0
 */
export interface Walk {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: ReadonlyArray<string>
  /**
   * Columns that are unique together and by which an index has the rows of `among`; the key when it is absent. A change may move
   * a row back, or on to where it changes nothing more.
   */
  readonly order?: ReadonlyArray<string>
  readonly among?: string
}

/**
 * Runs `change` with the condition of each step, first row to last. Rows that are written meanwhile may be skipped.
 *
 * @category running
 * @since 0.1.0
 */
export const walk = Effect.fnUntraced(function* (
  sql: SqlClient,
  { among = "TRUE", key, order = key, table }: Walk,
  change: (step: Fragment) => Effect.Effect<unknown, SqlError>
) {
  const places = sql.literal(order.join(", "))
  const values = sql.join(", ", false)
  let rest = sql`${sql.literal(among)}`
  while (true) {
    const step = sql`FROM ${sql(table)} WHERE ${rest} ORDER BY ${places}`
    const rows: ReadonlyArray<Record<string, unknown>> = yield* sql`
      SELECT ${places} ${step} LIMIT 1 OFFSET ${stepLength - 1}
    `
    const keys = sql.literal(key.join(", "))
    // The rows by their key, as a range of places would make both databases take another index and read all of it.
    yield* change(sql`(${keys}) IN (SELECT ${keys} ${step} LIMIT ${stepLength})`)
    const [last] = rows
    if (last === undefined) return
    rest = sql`${sql.literal(among)} AND (${places}) > (${values(order.map((column) => sql`${last[column]}`))})`
  }
})
