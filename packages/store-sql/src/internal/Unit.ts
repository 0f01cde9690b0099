/**
 * What a unit of work knows of the rows that it read: so that a row which another command changed meanwhile is noticed,
 * and only columns that differ are written.
 *
 * @since 0.1.0
 */
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * A row as it was first read.
 *
 * @category models
 * @since 0.1.0
 */
export interface SeenRow {
  readonly version: number
  readonly stateVersion: number
  /** The column `data`, as text. */
  readonly data: string
  /** What `data` says. */
  readonly state: unknown
}

/**
 * What is left of a block of identifiers: from `next` to `last`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Block {
  next: number
  readonly last: number
}

/**
 * A unit that is open.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenUnit {
  readonly rows: Map<string, SeenRow>
  /** Blocks of identifiers, by kind, that are the process's own only if the unit is committed. */
  readonly blocks: Map<string, Block>
  /** Whether the unit is run again because a row had changed: this time it locks the rows that it finds. */
  readonly isRerun: boolean
}

/**
 * The unit in which the current fiber reads and writes, if there is one.
 *
 * @category references
 * @since 0.1.0
 */
export const CurrentUnit = Context.Reference<OpenUnit | undefined>("@parcela/store-sql/CurrentUnit", {
  defaultValue: () => undefined
})

const nameOf = (table: string, id: number): string => `${table} ${id}`

/**
 * The row as the current unit saw it; undefined when it did not, or when there is no unit.
 *
 * @category getters
 * @since 0.1.0
 */
export const seenRow = (table: string, id: number): Effect.Effect<SeenRow | undefined> =>
  Effect.map(CurrentUnit, (unit) => unit?.rows.get(nameOf(table, id)))

/**
 * Notes a row that was read. Fails with `Changed` when the unit has seen another version of it: what it decided on is
 * no longer so.
 *
 * @category combinators
 * @since 0.1.0
 */
export const noteRead = Effect.fnUntraced(function* (table: string, id: number, row: SeenRow) {
  const unit = yield* CurrentUnit
  if (unit === undefined) return
  const seen = unit.rows.get(nameOf(table, id))
  if (seen === undefined) unit.rows.set(nameOf(table, id), row)
  else if (seen.version !== row.version) return yield* new StoreError({ reason: new Changed({ table }) })
})

/**
 * Notes a row that the unit wrote.
 *
 * @category combinators
 * @since 0.1.0
 */
export const noteWritten = (table: string, id: number, row: SeenRow): Effect.Effect<void> =>
  Effect.map(CurrentUnit, (unit) => void unit?.rows.set(nameOf(table, id), row))

/**
 * Follows a `SELECT` of a row that is going to be written. SQLite needs no word for it: its transactions hold the write
 * lock from their first statement on. A foreign key to the row may still be checked, so that a unit which only refers to
 * it does not wait.
 *
 * @category fragments
 * @since 0.1.0
 */
export const lockedRow = (sql: SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal("FOR NO KEY UPDATE"), orElse: () => sql.literal("") })

/**
 * As `lockedRow` when the current unit runs again: it takes what it finds for itself, so that it does not lose twice.
 *
 * @category fragments
 * @since 0.1.0
 */
export const lockedInRerun = (sql: SqlClient): Effect.Effect<Fragment> =>
  Effect.map(CurrentUnit, (unit) => (unit?.isRerun === true ? lockedRow(sql) : sql.literal("")))
