/**
 * A database of its own beside another, for a program that keeps rows which are none of the service's: a file beside the
 * file, a schema beside the schema. No statement reads from both, and no transaction writes to both.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { parse, join } from "node:path"
import type { PostgresClientConfig } from "./postgres/PostgresClient.ts"
import * as PostgresLayer from "./postgres/PostgresLayer.ts"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import { memory } from "@parcela/sqlite/SqliteDatabase"

/**
 * `folder/parcela.db` and `simulators` make `folder/parcela.simulators.db`; memory stays memory, another one.
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
 * The client of a file of that name beside the file of `config`, which is opened in the same way.
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
 * Connections of their own to the schema `<schema>_<name>`, where `<schema>` is the one in which the connections of
 * `config` make their tables: two services in two schemas of one database have two siblings. It is made where it is
 * missing, for which the user must be allowed to create schemas.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerPostgres = (config: PostgresClientConfig, name: string): Layer.Layer<SqlClient.SqlClient, SqlError> =>
  Layer.unwrap(
    Effect.map(
      Effect.provide(schemaBeside(name), PostgresLayer.layer({ ...config, maxConnections: 1 }), { local: true }),
      (schema) => PostgresLayer.layer({ ...config, schema })
    )
  )

/** Held while the schema is made: two that make it at once would both find none. */
const advisoryLock = 7_266_835_430

/** PostgreSQL cuts longer names, in bytes. */
const longestName = 63

const schemaBeside = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${advisoryLock})`
      const [{ current } = { current: "public" }] = yield* sql<{ current: string }>`
        SELECT coalesce(current_schema()::text, 'public') AS current`
      const schema = `${current.slice(0, longestName - name.length - 1)}_${name}`
      const there = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
      if (there.length === 0) yield* sql`CREATE SCHEMA ${sql(schema)}`
      return schema
    })
  )
})
