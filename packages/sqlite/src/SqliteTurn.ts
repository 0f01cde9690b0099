/**
 * What a unit of work runs its statements with.
 *
 * @since 0.1.0
 */

/**
 * Statements of one unit. Each throws an `SqlError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface SqliteTurn {
  readonly read: (text: string, values: ReadonlyArray<unknown>) => Rows
  /** The rows of a write with RETURNING; with `safeIntegers` every integer is a bigint. */
  readonly write: (text: string, values: ReadonlyArray<unknown>, safeIntegers?: boolean) => Rows
  /** How many rows a write without RETURNING changed: of one with RETURNING SQLite keeps each page as it was until it ends. */
  readonly change: (text: string, values: ReadonlyArray<unknown>) => number
  /** How often units were undone after they had run, or a COMMIT failed: what is remembered of them may not have been kept. */
  readonly undone: () => number
}

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>
