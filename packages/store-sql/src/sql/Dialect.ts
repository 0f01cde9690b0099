/**
 * In what the texts of statements differ between the databases.
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
  /** The place of the parameter with this number, from 1 on. */
  readonly parameter: (number: number) => string
  /** The rows of `from`, in its order, as one text: a JSON array of objects with these fields. */
  readonly jsonRows: (fields: Readonly<Record<string, string>>, from: string) => string
  /** The text of a field of an object within the object that a column has as JSON; null where there is none. */
  readonly fieldText: (column: string, object: string, field: string) => string
  /** The texts of a JSON array, which is a parameter, as rows. */
  readonly textsOf: (json: string) => string
  /** The identifiers of a JSON array, which is a parameter, as rows. */
  readonly idsOf: (json: string) => string
  /** The next number of a table that the database numbers. */
  readonly nextNumber: (table: string) => string
  /** What follows `column =`, of a parameter. */
  readonly equal: (parameter: string) => string
  /** Follows a table whose rows are found by that index, where the database would find them by another one. */
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
  // The unit that asks is the only writer until it has written.
  nextNumber: (table) => `(SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = '${table}')`,
  // Where the column is in the condition of a partial index, which the value may fit, SQLite plans by the value of a parameter that
  // stands alone, and so compiles the statement anew at each run.
  equal: (parameter) => `+${parameter}`,
  indexedBy: (index) => `INDEXED BY ${index}`
}

const lockOf = (table: string, id: string): string => `hashtextextended('${table} ' || ${id}, 0)`

/**
 * In `SELECT .. FROM table` on PostgreSQL: waits for the turn of each row, which lasts until the transaction ends. It locks no row: a
 * transaction that waits for one may have the number of its transaction already, and others write meanwhile.
 *
 * @category expressions
 * @since 0.1.0
 */
export const turnOf = (table: string, id: string): string => `pg_advisory_xact_lock(${lockOf(table, id)})::text`

/**
 * On PostgreSQL: waits until nobody has the turn of a row, or waits for it; others may do the same at once.
 *
 * @category expressions
 * @since 0.1.0
 */
export const afterTurnOf = (table: string, id: string): string =>
  `pg_advisory_xact_lock_shared(${lockOf(table, id)})::text`

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
  // It goes by how many rows there are.
  indexedBy: () => ""
}

/**
 * The dialect of a client's database.
 *
 * @category dialects
 * @since 0.1.0
 */
export const dialectOf = (sql: SqlClient): Dialect => sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })

/** A clause that PostgreSQL needs and SQLite, which has one writer at a time, does not. */
const lockClause =
  (text: string) =>
  (sql: SqlClient): Fragment =>
    sql.onDialectOrElse({ pg: () => sql.literal(text), orElse: () => sql.literal("") })

/**
 * Ends a `SELECT .. LIMIT` whose rows are then leased by an `UPDATE`: rows that another transaction leases at the same time are skipped.
 *
 * @category fragments
 * @since 0.1.0
 */
export const skipLocked = lockClause("FOR UPDATE SKIP LOCKED")

/**
 * Ends a `SELECT` whose rows the transaction then changes: it waits for other transactions that change them.
 *
 * @category fragments
 * @since 0.1.0
 */
export const forUpdate = lockClause("FOR UPDATE")

/**
 * Ends a `SELECT` whose rows must stay until the transaction ends. Others may do the same at the same time.
 *
 * @category fragments
 * @since 0.1.0
 */
export const forKeyShare = lockClause("FOR KEY SHARE")
