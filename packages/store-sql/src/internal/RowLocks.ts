/**
 * How rows are leased to workers: an `UPDATE` of what a bounded `SELECT` found, so that two never get the same one.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Follows the `LIMIT` of that `SELECT`: on PostgreSQL a lease skips rows that another is leasing at this moment.
 * SQLite has one writer at a time.
 *
 * @category fragments
 * @since 0.1.0
 */
export const skipLocked = (sql: SqlClient): Fragment =>
  sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE SKIP LOCKED"), orElse: () => sql.literal("") })
