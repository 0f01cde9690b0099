/**
 * The inbox's own tables, and how an inbox of an earlier version becomes one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * Where completed migrations are recorded.
 *
 * @category constants
 * @since 0.1.0
 */
export const table = "inbox_migrations"

// One row for each delivery. `lease` is an index for finding what is due; the other one for what stands before a delivery
// and whether a newer one is done.
const first = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE inbox_deliveries (
      sender TEXT NOT NULL,
      webhook_id BIGINT NOT NULL,
      event TEXT NOT NULL,
      subject TEXT,
      received_at BIGINT NOT NULL,
      signed_at BIGINT NOT NULL,
      signature TEXT NOT NULL,
      body TEXT NOT NULL,
      state TEXT NOT NULL,
      due_at BIGINT NOT NULL,
      tries INTEGER NOT NULL,
      leased_until BIGINT,
      late INTEGER NOT NULL,
      last_problem TEXT,
      settled_at BIGINT,
      PRIMARY KEY (sender, webhook_id)
    )
  `
  yield* sql`CREATE INDEX inbox_deliveries_due ON inbox_deliveries (due_at, webhook_id) WHERE state = 'waiting'`
  yield* sql`CREATE INDEX inbox_deliveries_subject ON inbox_deliveries (sender, subject, state, webhook_id)`
  yield* sql`CREATE INDEX inbox_deliveries_leased ON inbox_deliveries (leased_until) WHERE leased_until IS NOT NULL`
})

/** Whose rows of the earlier table are: it did not know. */
const unknownSender = ""

/**
 * The earlier table `inbox` had one row for each id, of all senders, and no mark for what was handled. Its rows are kept
 * as done. They belong to no known sender, so they delay nothing: what a sender delivers again, it never saw
 * acknowledged, and that is handled.
 */
const adoptEarlierRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ name: string }>`
        SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = 'inbox'
      `,
    orElse: () => sql<{ name: string }>`SELECT name FROM pragma_table_info('inbox')`
  })
  // A table of that name with other columns belongs to another program: a handler's own tables may be in the same database.
  if (
    !sameNames(
      columns.map(({ name }) => name),
      earlierColumns
    )
  )
    return
  yield* sql`
    INSERT INTO inbox_deliveries
      (sender, webhook_id, event, received_at, signed_at, signature, body, state, due_at, tries, late, settled_at)
    SELECT ${unknownSender}, CAST(webhook_id AS BIGINT), event, received_at, 0, '', body, 'done', received_at, 0, 0,
      received_at
    FROM inbox
  `
  yield* sql`DROP TABLE inbox`
})

const earlierColumns = ["webhook_id", "event", "received_at", "body"]

const sameNames = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.toSorted().join() === b.toSorted().join()

/**
 * @category loaders
 * @since 0.1.0
 */
export const loader: Migrator.Loader = Migrator.fromRecord({
  "0001_deliveries": first,
  "0002_adopt_earlier_rows": adoptEarlierRows
})
