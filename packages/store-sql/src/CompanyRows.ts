/**
 * Copies the rows of one company into a snapshot, removes them, and restores them.
 *
 * **Details**
 *
 * A snapshot has a JSON object for each row. The statements run inside the database: no row passes through this process. The columns come
 * from the database, so a column that is added later is copied too.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { dialectOf, forUpdate } from "./sql/Dialect.ts"

/**
 * A table with rows of companies. A row has `company_id`, or belongs to a row of another table.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyTable {
  readonly name: string
  /** For rows without `company_id`: the table to whose rows they belong, and the column that both tables have. */
  readonly below?: { readonly table: string; readonly column: string }
  /** SQL expressions for columns that a restore changes. `was` returns the stored value of a column. */
  readonly changed?: (was: (column: string) => string, isPostgres: boolean) => Readonly<Record<string, string>>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface CompanyRows {
  /** Copies the rows of a company to a snapshot, and returns their number. */
  readonly copy: (companyId: number, snapshotId: number) => Effect.Effect<number, SqlError>
  /** Removes the rows of a company. */
  readonly clear: (companyId: number) => Effect.Effect<void, SqlError>
  /** Restores the rows of a snapshot. The company must have no rows. */
  readonly putBack: (snapshotId: number) => Effect.Effect<void, SqlError>
  /** Removes a snapshot. */
  readonly remove: (snapshotId: number) => Effect.Effect<void, SqlError>
  /** The numbers of the snapshots that have rows, in their order. */
  readonly snapshots: Effect.Effect<ReadonlyArray<number>, SqlError>
}

const quoted = (name: string): string => `"${name}"`

/** The SQL of copied rows that differs between the databases. */
interface CopySql {
  /** A row of `t` as JSON. */
  readonly json: (columns: ReadonlyArray<string>) => string
  /** A column of a stored row. */
  readonly was: (column: string) => string
  /** The stored rows of a table. */
  readonly stored: (table: string) => string
  /** Ends the list of columns of an insert. */
  readonly overriding: string
}

const sqlite: CopySql = {
  json: (columns) => `json_object(${columns.map((column) => `'${column}', t.${quoted(column)}`).join(", ")})`,
  was: (column) => `json_extract(stored.row_data, '$.${column}')`,
  stored: () => "snapshot_rows AS stored",
  overriding: ""
}

const postgres: CopySql = {
  json: () => "row_to_json(t)::text",
  was: (column) => `was.${quoted(column)}`,
  stored: (table) =>
    `snapshot_rows AS stored CROSS JOIN LATERAL json_populate_record(NULL::${quoted(table)}, stored.row_data::json) AS was`,
  overriding: "OVERRIDING SYSTEM VALUE"
}

/**
 * `tables` are in the order of a restore: referenced tables come first. The database also has a table `snapshot_rows`. Each method must run
 * in a transaction.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (sql: SqlClient.SqlClient, tables: ReadonlyArray<CompanyTable>): CompanyRows => {
  const copySql = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const removed = tables.toReversed()
  const columnsOf = columnsIn(sql)
  return {
    copy: Effect.fnUntraced(function* (companyId, snapshotId) {
      // A snapshot that was interrupted between the commits of two databases has left rows, and its number is assigned again.
      yield* remove(sql, snapshotId)
      for (const table of tables) yield* copy(sql, copySql, table, yield* columnsOf(table.name), companyId, snapshotId)
      const [counted] = yield* sql<{ readonly rows: number | string }>`
        SELECT count(*) AS rows FROM snapshot_rows WHERE snapshot_id = ${snapshotId}
      `
      return Number(counted?.rows ?? 0)
    }),
    clear: Effect.fnUntraced(function* (companyId) {
      for (const { below } of removed) {
        if (below !== undefined) yield* lock(sql, below.table, companyId)
      }
      for (const table of removed) yield* sql`DELETE FROM ${sql(table.name)} WHERE ${isOf(sql, table, companyId)}`
    }),
    putBack: Effect.fnUntraced(function* (snapshotId) {
      for (const table of tables) yield* putBack(sql, copySql, table, yield* columnsOf(table.name), snapshotId)
    }),
    remove: (snapshotId) => remove(sql, snapshotId),
    snapshots: Effect.suspend(() => snapshotsIn(sql))
  }
}

const remove = (sql: SqlClient.SqlClient, snapshotId: number) =>
  Effect.asVoid(sql`DELETE FROM snapshot_rows WHERE snapshot_id = ${snapshotId}`)

/** One index lookup for each snapshot, because a snapshot has many rows. */
const snapshotsIn = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found: Array<number> = []
  while (true) {
    const [next] = yield* sql<{ readonly id: number | string | null }>`
      SELECT min(snapshot_id) AS id FROM snapshot_rows WHERE snapshot_id > ${found.at(-1) ?? -1}
    `
    if (next === undefined || next.id === null) return found
    found.push(Number(next.id))
  }
})

/** The columns of a table that can be written. */
const columnsIn = (sql: SqlClient.SqlClient) => (table: string) =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () => sql<{ readonly name: string }>`
        SELECT column_name::text AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER'
        ORDER BY ordinal_position
      `,
      orElse: () => sql<{ readonly name: string }>`
        SELECT name FROM pragma_table_xinfo(${table}) WHERE hidden = 0 ORDER BY cid
      `
    }),
    (rows) => rows.map(({ name }) => name)
  )

const isOf = (sql: SqlClient.SqlClient, { below }: CompanyTable, companyId: number) =>
  below === undefined
    ? sql`company_id = ${companyId}`
    : sql`${sql(below.column)} IN (SELECT ${sql(below.column)} FROM ${sql(below.table)} WHERE company_id = ${companyId})`

/** Waits for transactions that add rows to these tables: they hold locks on the rows. */
const lock = (sql: SqlClient.SqlClient, table: string, companyId: number) =>
  sql`SELECT count(*) FROM (SELECT 1 AS one FROM ${sql(table)} WHERE company_id = ${companyId} ${forUpdate(sql)}) AS l`

const copy = (
  sql: SqlClient.SqlClient,
  copySql: CopySql,
  table: CompanyTable,
  columns: ReadonlyArray<string>,
  companyId: number,
  snapshotId: number
) => sql`
  INSERT INTO snapshot_rows (snapshot_id, table_name, position, row_data)
  SELECT ${snapshotId}, ${sql.literal(`'${table.name}'`)}, row_number() OVER (), ${sql.literal(copySql.json(columns))}
  FROM ${sql(table.name)} AS t WHERE ${isOf(sql, table, companyId)}
`

const putBack = (
  sql: SqlClient.SqlClient,
  copySql: CopySql,
  { changed, name }: CompanyTable,
  columns: ReadonlyArray<string>,
  snapshotId: number
) => {
  const others = changed?.(copySql.was, dialectOf(sql).isPostgres) ?? {}
  const values = columns.map((column) => others[column] ?? copySql.was(column))
  return sql`
    INSERT INTO ${sql(name)} (${sql.literal(columns.map(quoted).join(", "))}) ${sql.literal(copySql.overriding)}
    SELECT ${sql.literal(values.join(", "))} FROM ${sql.literal(copySql.stored(name))}
    WHERE stored.snapshot_id = ${snapshotId} AND stored.table_name = ${name} ORDER BY stored.position
  `
}
