/** Many transactions in a database that no server has open: copies of one that was made over the interface. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseSync } from "node:sqlite"

/** Copies have identifiers from here on, where the server's own never come. */
const firstCopy = 10_000_000_000

/** In a SQLite file. */
export const seedSqlite = (filename: string, count: number): void => {
  const database = new DatabaseSync(filename)
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000")
  const columns = database.prepare("SELECT name FROM pragma_table_info('transactions')").all()
  const changed: Readonly<Record<string, string>> = {
    id: `${firstCopy} + i`,
    my_id: "'copy-' || i",
    payday: "date(payday, '-' || (i % 1500) || ' days')",
    created_at: "created_at - i * 1000",
    status_at: "status_at - i * 1000",
    data: `json_set(data, '$.id', ${firstCopy} + i, '$.myId', 'copy-' || i,
      '$.payday', date(payday, '-' || (i % 1500) || ' days'),
      '$.createdAt', created_at - i * 1000, '$.statusAt', status_at - i * 1000)`
  }
  const names = columns.map(({ name }) => String(name))
  database.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO transactions (${names.join(", ")})
    SELECT ${names.map((name) => changed[name] ?? name).join(", ")}
    FROM n, (SELECT * FROM transactions WHERE my_id = 'seed')
  `)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

/** In a PostgreSQL database. */
export const seedPostgres = (url: string, count: number): Promise<void> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* sql<{ column_name: string }>`
      SELECT column_name FROM information_schema.columns WHERE table_name = 'transactions' ORDER BY ordinal_position
    `
    const day = "to_char(payday::date - (i % 1500)::integer, 'YYYY-MM-DD')"
    const changed: Readonly<Record<string, string>> = {
      id: `${firstCopy} + i`,
      my_id: "'copy-' || i",
      payday: day,
      created_at: "created_at - i * 1000",
      status_at: "status_at - i * 1000",
      data: `(data::jsonb || jsonb_build_object('id', ${firstCopy} + i, 'myId', 'copy-' || i, 'payday', ${day},
        'createdAt', created_at - i * 1000, 'statusAt', status_at - i * 1000))::text`
    }
    const names = columns.map(({ column_name }) => column_name)
    yield* sql.unsafe(`
      INSERT INTO transactions (${names.join(", ")})
      SELECT ${names.map((name) => changed[name] ?? name).join(", ")}
      FROM generate_series(1::bigint, ${count}) AS n (i), (SELECT * FROM transactions WHERE my_id = 'seed') AS one
    `)
    yield* sql`ANALYZE`
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })), Effect.runPromise)
