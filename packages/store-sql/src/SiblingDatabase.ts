/**
 * A sibling database, for a program whose rows do not belong to the service: a file in the same folder, or a schema in the same PostgreSQL
 * database. No statement reads from both databases, and no transaction writes to both.
 *
 * @since 0.1.0
 */
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { memory } from "@parcela/sqlite/SqliteDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { join, parse } from "node:path"
import type { PostgresClientConfig } from "./postgres/PostgresClient.ts"
import * as PostgresLayer from "./postgres/PostgresLayer.ts"

/**
 * The sibling of `folder/parcela.db` with the name `simulators` is `folder/parcela.simulators.db`. The sibling of a database in memory is
 * another one in memory.
 *
 * @category conversions
 * @since 0.1.0
 */
export const siblingFileOf = (filename: string, name: string): string => {
  if (filename === memory) return memory
  const { dir, ext, name: stem } = parse(filename)
  return join(dir, `${stem}.${name}${ext}`)
}

/**
 * The client of the sibling file, opened with the options of `config`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite = (
  config: NodeSqliteClient.NodeSqliteClientConfig,
  name: string
): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  NodeSqliteClient.layer({ ...config, filename: siblingFileOf(config.filename, name) })

/**
 * A client of the schema `<schema>_<name>`, with connections of its own. `<schema>` is the schema of the tables of `config`, so two services in
 * two schemas have two siblings. A missing schema is created, for which the user needs the permission to create schemas.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPostgres = (config: PostgresClientConfig, name: string): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.unwrap(
    Effect.map(
      Effect.provide(siblingSchema(name), PostgresLayer.layer({ ...config, maxConnections: 1 }), { local: true }),
      (schema) => PostgresLayer.layer({ ...config, schema })
    )
  )

/** Held during the creation of the schema, because two processes at once would both find no schema. */
const advisoryLock = 7_266_835_430

/** The most bytes of a name. PostgreSQL truncates longer names. */
const maxNameBytes = 63

const siblingSchema = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${advisoryLock})`
      const [{ current } = { current: "public" }] = yield* sql<{ current: string }>`
        SELECT coalesce(current_schema()::text, 'public') AS current`
      const schema = `${current.slice(0, maxNameBytes - name.length - 1)}_${name}`
      const there = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
      if (there.length === 0) yield* sql`CREATE SCHEMA ${sql(schema)}`
      return schema
    })
  )
})
