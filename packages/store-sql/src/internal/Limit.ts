/**
 * What follows LIMIT in a statement of a client: see `limit` of `Dialect`.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * @category expressions
 * @since 0.1.0
 */
export const limited = (sql: SqlClient.SqlClient, rows: number): Fragment =>
  sql.onDialectOrElse({ pg: () => sql`${rows}`, orElse: () => sql`${rows} + 0` })
