/**
 * A row of the journal is what one unit wrote: what its entries are about, and their states, stand in one column. Entries from before
 * have a row each.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const journalOfUnits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => onPostgres(sql), orElse: () => onSqlite(sql) })
})

/** The entry of a row, as JSON. */
const subjectOf = (id: string, events: string): string => `
  '[{"kind":"' || subject_kind || '","id":' || ${id} || ',"events":' || ${events}
  || coalesce(',"before":' || state_before, '') || coalesce(',"after":' || state_after, '')
  || coalesce(',"version":' || state_version, '') || '}]'`

const onPostgres = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const subjects = subjectOf("to_json(subject_id)::text", "json_array_length(events::json)")
  yield* sql`ALTER TABLE journal ADD COLUMN subjects TEXT`
  yield* sql`UPDATE journal SET subjects = ${sql.literal(subjects)}`
  yield* sql`
    ALTER TABLE journal DROP COLUMN subject_kind, DROP COLUMN subject_id, DROP COLUMN state_before,
      DROP COLUMN state_after, DROP COLUMN state_version
  `
})

const onSqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [numbers] = yield* sql<{ readonly seq: number }>`SELECT seq FROM sqlite_sequence WHERE name = 'journal'`
  yield* sql`
    CREATE TABLE new_journal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      company_id INTEGER NOT NULL REFERENCES companies (id),
      at INTEGER NOT NULL,
      business_at INTEGER,
      actor TEXT,
      cause TEXT,
      request_id TEXT,
      events TEXT NOT NULL,
      subjects TEXT
    ) STRICT
  `
  const kept = sql.literal("id, company_id, at, business_at, actor, cause, request_id, events")
  const subjects = sql.literal(subjectOf("json_quote(subject_id)", "json_array_length(events)"))
  yield* sql`INSERT INTO new_journal (${kept}, subjects) SELECT ${kept}, ${subjects} FROM journal ORDER BY id`
  yield* sql`DROP TABLE journal`
  yield* sql`ALTER TABLE new_journal RENAME TO journal`
  // A number is never given out again, also where its entry is gone.
  if (numbers !== undefined) {
    yield* sql`DELETE FROM sqlite_sequence WHERE name = 'journal'`
    yield* sql`INSERT INTO sqlite_sequence (name, seq) VALUES ('journal', ${numbers.seq})`
  }
  yield* sql`CREATE INDEX journal_company ON journal (company_id, id)`
  yield* sql`CREATE INDEX journal_old ON journal (at)`
})
