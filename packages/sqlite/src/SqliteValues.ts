/**
 * JavaScript values as SQLite stores them, and back, so that nothing changes on the way without a word.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { SQLInputValue } from "node:sqlite"

/**
 * A value that SQLite would have altered or dropped. It names the kind of value, never the value.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnbindableValue extends Schema.TaggedError<UnbindableValue>()("UnbindableValue", {
  /** Position of the parameter in the statement, from 1. */
  parameter: Schema.Int,
  problem: Schema.String
}) {
  override get message() {
    return `Parameter ${this.parameter} of the statement ${this.problem}`
  }
}

/**
 * Parameters as `node:sqlite` should be given them, or the first that cannot be kept faithfully.
 *
 * **Details**
 *
 * Whole numbers up to 2^53 - 1 are bound as INTEGER (bare `node:sqlite` binds every number as REAL, so that 5 becomes
 * "5.0" in a TEXT column and in JSON), others as REAL, booleans as 0 and 1. Refused: `undefined`, `NaN` (SQLite makes
 * NULL of it), a bigint past 64 bits, text with broken surrogate pairs, `Date` and every object but `Uint8Array`.
 *
 * **Gotchas**
 *
 * Effect's `sql.insert` and `sql.update` turn `undefined` into NULL before a driver sees it.
 *
 * @category converting
 * @since 0.1.0
 */
export const bind = (parameters: ReadonlyArray<unknown>): Array<SQLInputValue> | UnbindableValue => {
  const bound: Array<SQLInputValue> = []
  for (const value of parameters) {
    const one = bindOne(value)
    if (one !== null && typeof one === "object" && "problem" in one) {
      return new UnbindableValue({ parameter: bound.length + 1, problem: one.problem })
    }
    bound.push(one)
  }
  return bound
}

/**
 * One value as read with big integers on: what fits a number exactly becomes one, a larger integer stays a bigint.
 *
 * @category converting
 * @since 0.1.0
 */
export const narrow = (value: unknown): unknown => {
  if (typeof value !== "bigint") return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/**
 * Rows as objects by the names of their columns, each value as `valueOf` makes it.
 *
 * @category converting
 * @since 0.1.0
 */
export const asObjects = (
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<unknown>>,
  valueOf: (value: unknown) => unknown
): Array<Record<string, unknown>> =>
  rows.map((row) => {
    const object: Record<string, unknown> = {}
    columns.forEach((column, index) => {
      object[column] = valueOf(row[index])
    })
    return object
  })

const minimumInteger = -(2n ** 63n)
const maximumInteger = 2n ** 63n - 1n

const bindOne = (value: unknown): SQLInputValue | { readonly problem: string } => {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : { problem: "is text with a broken surrogate pair" }
    case "number":
      if (Number.isSafeInteger(value)) return BigInt(value)
      return Number.isNaN(value) ? { problem: "is NaN, which SQLite would store as NULL" } : value
    case "bigint":
      if (value >= minimumInteger && value <= maximumInteger) return value
      return { problem: "is an integer wider than 64 bits: store it as text" }
    case "boolean":
      return value ? 1n : 0n
    case "undefined":
      return { problem: "is undefined: write null for an absent value" }
    case "object":
      if (value === null || value instanceof Uint8Array) return value
      if (value instanceof Date) return { problem: "is a Date: encode it first, as ISO text or epoch milliseconds" }
      return { problem: "is an object: encode it first, for example as JSON text" }
    default:
      return { problem: `is a ${typeof value}` }
  }
}
