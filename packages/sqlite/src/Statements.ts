/**
 * Prepared statements of `node:sqlite`: their cache, their runs, and the conversion of values.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SqlError from "effect/sql/SqlError"
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"
import type { DatabaseFiles } from "./DatabaseFiles.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { commitOperation, fromThrown } from "./SqliteErrors.ts"

/**
 * The rows of a statement.
 *
 * @category models
 * @since 0.1.0
 */
export type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/**
 * Runs a statement with these values. Throws an `SqlError`.
 *
 * @category running
 * @since 0.1.0
 */
export const execute = <A>(
  { filename, files }: Pick<SqliteDatabase, "filename" | "files">,
  cache: Pick<StatementCache<Prepared>, "get">,
  text: string,
  values: ReadonlyArray<unknown>,
  use: (prepared: Prepared, bound: Array<SQLInputValue>) => A,
  operation = "execute"
): A => {
  const bound = bind(values)
  if (!Array.isArray(bound)) throw refused(bound, operation)
  if (files !== undefined && isRefused(files, text)) throw files.failure(operation)
  try {
    return use(cache.get(text), bound)
  } catch (thrown) {
    throw fromThrown(thrown, filename, text === "COMMIT" ? commitOperation : operation)
  }
}

// BEGIN checks whether lost files are back. An open transaction can always be rolled back.
const isRefused = (files: DatabaseFiles, sql: string): boolean => {
  if (sql === "COMMIT") return !files.check()
  if (files.areIntact()) return false
  return sql.startsWith("BEGIN") ? !files.check() : sql !== "ROLLBACK"
}

/** The error of a value that cannot be bound. */
export const refused = (cause: { readonly message: string }, operation: string): SqlError.SqlError =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message: cause.message, operation }) })

/**
 * @category models
 * @since 0.1.0
 */
export interface Prepared {
  readonly statement: StatementSync
  /** The columns of a query or of a write with RETURNING; empty for other statements. */
  readonly columns: ReadonlyArray<string>
}

/**
 * Prepares a statement. Throws the errors of `node:sqlite`, and an error if the text has another statement after it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const prepare = (native: DatabaseSync, sql: string): Prepared => {
  const text = plannedOnce(sql)
  const statement = native.prepare(text)
  // node:sqlite compiles the first statement of a text and silently drops the others.
  if (!nothingMore.test(text.slice(statement.sourceSQL.length))) {
    throw new Error("One statement at a time: SQLite would run the first of this text and drop the rest")
  }
  // Otherwise reading an integer beyond 2^53 throws, after a write with RETURNING was already committed.
  statement.setReadBigInts(true)
  // node:sqlite takes three times as long to create objects.
  statement.setReturnArrays(true)
  return { statement, columns: statement.columns().map(({ name }) => name) }
}

/** White space, semicolons and comments. */
const nothingMore = /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*$/

/** A value as `node:sqlite` returns it. */
export const asRead = (value: unknown): unknown => value

/** Reads all rows of a query or of a write with RETURNING. */
export const readRows = (
  prepared: Prepared,
  bound: Array<SQLInputValue>,
  safeIntegers: boolean
): Array<Record<string, unknown>> => {
  const { columns, statement } = prepared
  if (columns.length === 0) {
    written(prepared, bound)
    return []
  }
  return asObjects(columns, arraysOf(statement, bound), safeIntegers ? asRead : narrow)
}

/** Runs a statement that returns no rows. Cheaper than `run`, which creates an object with two bigints. */
export const written = ({ statement }: Prepared, bound: Array<SQLInputValue>): void => {
  statement.get(...bound)
}

export const arraysOf = (statement: StatementSync, bound: Array<SQLInputValue>): Array<Array<SQLOutputValue>> =>
  // Node's types do not describe `setReturnArrays`.
  statement.all(...bound) as unknown as Array<Array<SQLOutputValue>>

/**
 * Reads all rows of a query that writes nothing. Integers are read as numbers, which takes a third less time than converting bigints. If an
 * integer is too large, `node:sqlite` throws, and the query runs again with bigints.
 */
export const readQuery = (prepared: Prepared, bound: Array<SQLInputValue>): Array<Record<string, unknown>> => {
  const { columns, statement } = prepared
  statement.setReadBigInts(false)
  try {
    return asObjects(columns, arraysOf(statement, bound), asRead)
  } catch (thrown) {
    if (!isTooLarge(thrown)) throw thrown
  } finally {
    // Writes use the same cached statement.
    statement.setReadBigInts(true)
  }
  return readRows(prepared, bound, false)
}

const isTooLarge = (thrown: unknown): boolean =>
  thrown instanceof RangeError && "code" in thrown && thrown.code === "ERR_OUT_OF_RANGE"

/** Quoted texts, comments, and the words before a limit that is a parameter. */
const quotedOrLimit = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(?:LIMIT|OFFSET)\s+(?=[?:@$])/gi

/**
 * Adds a plus before each limit that is a parameter.
 *
 * SQLite (3.53) plans by the value of such a parameter, and plans again whenever a value is bound, even the same one. It does not plan by the
 * value of an expression.
 */
const plannedOnce = (sql: string): string =>
  sql.replace(quotedOrLimit, (found) => (/^[LO]/i.test(found) ? `${found}+` : found))

/**
 * A bounded cache keyed by SQL text, which drops the least recently used. Its owner clears it when the schema changes.
 *
 * @category models
 * @since 0.1.0
 */
export interface StatementCache<A> {
  /** Returns the cached statement, or prepares a new one. Throws the errors of the preparation, and then caches nothing. */
  readonly get: (sql: string) => A
  readonly has: (sql: string) => boolean
  readonly size: () => number
  readonly clear: () => void
}

interface Entry<A> {
  readonly statement: A
  /** The number of its last use. */
  usedAt: number
}

/**
 * An empty cache of at most `capacity` statements.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeCache = <A>(capacity: number, prepare: (sql: string) => A): StatementCache<A> => {
  const statements = new Map<string, Entry<A>>()
  let uses = 0

  const evict = (): void => {
    let oldest: string | undefined
    let least = Infinity
    for (const [sql, { usedAt }] of statements) {
      if (usedAt >= least) continue
      least = usedAt
      oldest = sql
    }
    if (oldest !== undefined) statements.delete(oldest)
  }

  return {
    get(sql) {
      uses += 1
      const cached = statements.get(sql)
      if (cached !== undefined) {
        // This is cheaper than moving the entry to the end of the map, which would make evictions cheaper.
        cached.usedAt = uses
        return cached.statement
      }
      const statement = prepare(sql)
      if (statements.size >= capacity) evict()
      statements.set(sql, { statement, usedAt: uses })
      return statement
    },
    has: (sql) => statements.has(sql),
    size: () => statements.size,
    clear: () => statements.clear()
  }
}

/**
 * A value that SQLite would alter or drop. The message names the kind of value, never the value.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnbindableValue extends Schema.TaggedError<UnbindableValue>()("UnbindableValue", {
  /** The number of the parameter, from 1. */
  parameter: Schema.Int,
  problem: Schema.String
}) {
  override get message() {
    return `Parameter ${this.parameter} of the statement ${this.problem}`
  }
}

/**
 * Converts parameters for `node:sqlite`. Returns an error for the first value that SQLite cannot store exactly.
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
 * Converts a bigint to a number if the number is exact. Returns other values unchanged.
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
 * Converts rows to objects by the names of their columns. `valueOf` converts each value.
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
