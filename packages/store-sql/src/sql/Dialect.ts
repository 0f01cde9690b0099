/**
 * The SQL that differs between SQLite and PostgreSQL.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * @category models
 * @since 0.1.0
 */
export interface Dialect {
  readonly isPostgres: boolean
  /** The placeholder of the parameter with this number. The first parameter has the number 1. */
  readonly parameter: (number: number) => string
  /** The rows of `from`, in its order, as one text: a JSON array of objects with these fields. */
  readonly jsonRows: (fields: Readonly<Record<string, string>>, from: string) => string
  /** The text of `object.field` in the JSON of a column; null if the JSON has no such field. */
  readonly fieldText: (column: string, object: string, field: string) => string
  /** The texts of a JSON array, which is a parameter, as rows. */
  readonly textsOf: (json: string) => string
  /** The identifiers of a JSON array, which is a parameter, as rows. */
  readonly idsOf: (json: string) => string
  /** The next number of a table that the database numbers. */
  readonly nextNumber: (table: string) => string
  /** The right side of `column =` for a parameter. */
  readonly equal: (parameter: string) => string
  /** Follows the name of a table: forces the index where the database would choose another one. */
  readonly indexedBy: (index: string) => string
}

const pairs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(", ")

/**
 * @category dialects
 * @since 0.1.0
 */
export const sqlite: Dialect = {
  isPostgres: false,
  parameter: (number) => `?${number}`,
  jsonRows: (fields, from) => `(SELECT json_group_array(json_object(${pairs(fields)})) FROM ${from})`,
  fieldText: (column, object, field) => `${column} ->> '$.${object}.${field}'`,
  textsOf: (json) => `(SELECT value FROM json_each(${json}))`,
  idsOf: (json) => `(SELECT value FROM json_each(${json}))`,
  // The transaction that reads the number is the only writer until it commits.
  nextNumber: (table) => `(SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = '${table}')`,
  // If a partial index has the column in its condition, SQLite plans by the value of a bare parameter, and compiles the statement again
  // at each run. An expression has no value at that time.
  equal: (parameter) => `+${parameter}`,
  indexedBy: (index) => `INDEXED BY ${index}`
}

/**
 * @category dialects
 * @since 0.1.0
 */
export const postgres: Dialect = {
  isPostgres: true,
  parameter: (number) => `$${number}`,
  jsonRows: (fields, from) =>
    `(SELECT coalesce(json_agg(json_build_object(${pairs(fields)})), '[]')::text FROM ${from})`,
  fieldText: (column, object, field) => `${column}::json -> '${object}' ->> '${field}'`,
  textsOf: (json) => `(SELECT json_array_elements_text(${json}::json))`,
  idsOf: (json) => `(SELECT json_array_elements_text(${json}::json)::bigint)`,
  nextNumber: (table) => `nextval(pg_get_serial_sequence('${table}', 'id'))`,
  equal: (parameter) => parameter,
  // PostgreSQL chooses by its statistics.
  indexedBy: () => ""
}

/**
 * The dialect of a client's database.
 *
 * @category dialects
 * @since 0.1.0
 */
export const dialectOf = (sql: SqlClient): Dialect => sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })

const lockKey = (table: string, id: string): string => `hashtextextended('${table} ' || ${id}, 0)`

/**
 * On PostgreSQL: takes the advisory lock of each row of a `SELECT`, until the transaction ends.
 *
 * No row is locked. A transaction that waits for a row may have its number already while others write, and the journal needs numbers
 * in the order of the commits.
 *
 * @category expressions
 * @since 0.1.0
 */
export const advisoryLock = (table: string, id: string): string => `pg_advisory_xact_lock(${lockKey(table, id)})::text`

/**
 * On PostgreSQL: waits until no transaction holds or awaits the advisory lock of a row. Several transactions may pass at the same time.
 *
 * @category expressions
 * @since 0.1.0
 */
export const sharedAdvisoryLock = (table: string, id: string): string =>
  `pg_advisory_xact_lock_shared(${lockKey(table, id)})::text`

/** A clause that PostgreSQL needs and SQLite, which has one writer at a time, does not. */
const lockClause =
  (text: string) =>
  (sql: SqlClient): Fragment =>
    sql.onDialectOrElse({ pg: () => sql.literal(text), orElse: () => sql.literal("") })

/**
 * Ends a `SELECT .. LIMIT` whose rows an `UPDATE` then leases. Rows that another transaction leases at the same time are skipped.
 *
 * @category fragments
 * @since 0.1.0
 */
export const skipLocked = lockClause("FOR UPDATE SKIP LOCKED")

/**
 * Ends a `SELECT` whose rows the transaction then changes. The statement waits for other transactions that change them.
 *
 * @category fragments
 * @since 0.1.0
 */
export const forUpdate = lockClause("FOR UPDATE")

/**
 * Ends a `SELECT` whose rows must stay until the transaction ends. Several transactions may hold this lock at the same time.
 *
 * @category fragments
 * @since 0.1.0
 */
export const forKeyShare = lockClause("FOR KEY SHARE")
