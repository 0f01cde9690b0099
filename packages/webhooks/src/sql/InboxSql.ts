/**
 * The inbox of a receiver in SQL (SQLite or PostgreSQL). It creates its table, `inbox_deliveries`.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Migrator from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { type Acceptance, Inbox, type InboxEntry, InboxError, type LeasedEntry, maxDelay } from "../Inbox.ts"
import * as InboxMigrations from "./InboxMigrations.ts"

/**
 * The inbox over the current `SqlClient`.
 *
 * **Details**
 *
 * Every method is one transaction, or part of the current transaction of `SqlClient`. A handler that writes to the same
 * database can therefore mark its delivery as done in its own transaction.
 *
 * Rows are never deleted: a deleted id would be new again. Times are milliseconds since 1970. A delivery whose attempts
 * ended has the state `failed`, with the reason in `last_problem`. To repeat it, set its state to `waiting` and `attempts`
 * to 0.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Inbox, InboxError, SqlClient.SqlClient> = Layer.effect(
  Inbox,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate.pipe(toInboxError)
    return Inbox.of({
      accept: (entry) => toInboxError(accept(sql, entry)),
      acceptLeased: (entry, options) => toInboxError(acceptLeased(sql, entry, options)),
      lease: (options) => toInboxError(lease(sql, options)),
      done: (leases) => toInboxError(done(sql, leases)),
      retry: (held, options) => toInboxError(retry(sql, held, options)),
      fail: (held, problem) => toInboxError(fail(sql, held, problem)),
      release: toInboxError(release(sql))
    })
  })
)

const toInboxError = Effect.mapError((cause: unknown) => new InboxError({ cause }))

// Not by DatabaseMigrator of @parcela/sqlite: this package, and the engine above it, run without Node and its SQLite.
// A program that has that package runs DatabaseMigrator first, which also refuses a database of a newer version.
// If two processes start at the same time on PostgreSQL, both create the table, and one fails. Its retry finds the table.
const migrate = SqlClient.SqlClient.use((sql) =>
  sql.withTransaction(Migrator.make({})({ loader: InboxMigrations.loader, table: InboxMigrations.table }))
).pipe(Effect.retry({ times: 2 }))

type Sql = SqlClient.SqlClient

/** Returns the statement that stores a delivery. */
const insertion = (
  parameter: (number: number) => string,
  leased: { readonly attempts: string; readonly until: string; readonly late: string }
): string => `
  INSERT INTO inbox_deliveries
    (sender, webhook_id, event, subject, received_at, signed_at, signature, body, state, due_at, attempts, leased_until, late)
  VALUES (${[1, 2, 3, 4, 5, 6, 7, 8].map(parameter).join(", ")}, 'waiting', ${parameter(5)}, ${leased.attempts}, ${leased.until}, ${leased.late})
  ON CONFLICT (sender, webhook_id) DO NOTHING
  RETURNING attempts, late
`

const unleased = { attempts: "0", until: "NULL", late: "0" }

/** True if another delivery of the subject is pending. With numbered parameters of SQLite. */
const isBehind = "EXISTS (SELECT 1 FROM inbox_deliveries WHERE sender = ?1 AND subject = ?4 AND state = 'waiting')"

const insertions = {
  pg: insertion((number) => `$${number}`, unleased),
  sqlite: insertion((number) => `?${number}`, unleased),
  leased: insertion((number) => `?${number}`, {
    attempts: `CASE WHEN ${isBehind} THEN 0 ELSE 1 END`,
    until: `CASE WHEN ${isBehind} THEN NULL ELSE ?9 END`,
    late: "EXISTS (SELECT 1 FROM inbox_deliveries WHERE sender = ?1 AND subject = ?4 AND state = 'done' AND webhook_id > ?2)"
  })
}

const valuesOf = ({ body, event, receivedAt, sender, signature, signedAt, subject, webhookId }: InboxEntry) => [
  sender,
  webhookId,
  event,
  subject ?? null,
  receivedAt,
  signedAt,
  signature,
  body
]

/** Compares a delivery with the stored one of the same number. */
const compared = Effect.fnUntraced(function* (sql: Sql, { body, sender, webhookId }: InboxEntry) {
  const same = yield* sql`
    SELECT 1 FROM inbox_deliveries WHERE sender = ${sender} AND webhook_id = ${webhookId} AND body = ${body}
  `.withoutTransform
  return (same.length === 1 ? "repeated" : "conflict") satisfies Acceptance
})

const accept = Effect.fnUntraced(function* (sql: Sql, entry: InboxEntry) {
  const text = sql.onDialectOrElse({ pg: () => insertions.pg, orElse: () => insertions.sqlite })
  const inserted = yield* sql.unsafe(text, valuesOf(entry)).withoutTransform
  return inserted.length === 1 ? ("new" satisfies Acceptance) : yield* compared(sql, entry)
})

/** Leases only on SQLite. Two writers on PostgreSQL could both lease a delivery of one subject. */
const acceptLeased = Effect.fnUntraced(function* (
  sql: Sql,
  entry: InboxEntry,
  { duration }: { readonly duration: Duration.Duration }
) {
  if (sql.onDialectOrElse({ pg: () => true, orElse: () => false })) return yield* accept(sql, entry)
  const until = (yield* Clock.currentTimeMillis) + Math.ceil(Duration.toMillis(duration))
  const [row] = yield* sql.unsafe<{ readonly attempts: number; readonly late: number }>(insertions.leased, [
    ...valuesOf(entry),
    until
  ]).withoutTransform
  if (row === undefined) return yield* compared(sql, entry)
  return row.attempts === 0 ? ("new" satisfies Acceptance) : { ...entry, attempts: row.attempts, late: row.late === 1 }
})

/** Decodes a whole number, which drivers return as a number, a bigint, or a text (`bigint` of PostgreSQL). */
const integer = <S extends Schema.ConstraintCodec<number, number>>(schema: S) =>
  Schema.Union([Schema.Number, Schema.BigInt, Schema.String]).pipe(
    Schema.decodeTo(
      schema,
      SchemaTransformation.transform<number, number | bigint | string>({ decode: Number, encode: (number) => number })
    )
  )

const LeasedRow = Schema.Struct({
  sender: Schema.String,
  webhook_id: integer(Schema.Int),
  event: Schema.String,
  subject: Schema.NullOr(Schema.String),
  received_at: integer(MachineTime),
  signed_at: integer(Schema.Int),
  signature: Schema.String,
  body: Schema.String,
  due_at: integer(Schema.Int),
  attempts: integer(Schema.Int),
  late: integer(Schema.Int)
})

const decodeRow = Schema.decodeUnknownResult(LeasedRow)

/**
 * Returns the valid rows. Ends the attempts of an invalid row, so that it does not fail every lease.
 */
const validRows = Effect.fnUntraced(function* (sql: Sql, rows: ReadonlyArray<object>) {
  const read = rows.map((row) => ({ row, result: decodeRow(row) }))
  for (const { result, row } of read) {
    if (Result.isSuccess(result)) continue
    // The columns of the lease statement.
    const { sender, webhook_id: id } = row as { readonly sender: string; readonly webhook_id: number }
    yield* Effect.logError("A row of the inbox is invalid and is not retried", { sender, webhookId: id })
    yield* sql`
      UPDATE inbox_deliveries SET state = 'failed', leased_until = NULL, last_problem = 'The row is invalid'
      WHERE sender = ${sender} AND webhook_id = ${id}
    `
  }
  return Arr.getSuccesses(read.map(({ result }) => result))
})

const lease = Effect.fnUntraced(function* (
  sql: Sql,
  options: { readonly limit: number; readonly duration: Duration.Duration }
) {
  const now = yield* Clock.currentTimeMillis
  const until = now + Math.ceil(Duration.toMillis(options.duration))
  const farthest = now + Duration.toMillis(maxDelay)
  // Workers on PostgreSQL must not wait for the rows of another worker. SQLite has one writer at a time.
  const skipLocked = sql.onDialectOrElse({
    pg: () => sql.literal("FOR UPDATE SKIP LOCKED"),
    orElse: () => sql.literal("")
  })
  // A parameter alone after LIMIT would make SQLite compile the statement each time.
  const rows = yield* sql`
    UPDATE inbox_deliveries SET attempts = attempts + 1, leased_until = ${until}, late = CASE WHEN EXISTS (
      SELECT 1 FROM inbox_deliveries newer
      WHERE newer.sender = inbox_deliveries.sender AND newer.subject = inbox_deliveries.subject
        AND newer.state = 'done' AND newer.webhook_id > inbox_deliveries.webhook_id
    ) THEN 1 ELSE 0 END
    WHERE (sender, webhook_id) IN (
      SELECT due.sender, due.webhook_id FROM inbox_deliveries due
      WHERE due.state = 'waiting' AND (due.due_at <= ${now} OR due.due_at > ${farthest})
        AND (due.leased_until IS NULL OR due.leased_until <= ${now} OR due.leased_until > ${until})
        AND NOT EXISTS (
          SELECT 1 FROM inbox_deliveries other
          WHERE other.sender = due.sender AND other.subject = due.subject AND other.state = 'waiting'
            AND other.webhook_id <> due.webhook_id
            AND (other.webhook_id < due.webhook_id OR (other.leased_until > ${now} AND other.leased_until <= ${until}))
        )
      ORDER BY due.due_at, due.webhook_id LIMIT ${options.limit} ${skipLocked}
    )
    RETURNING sender, webhook_id, event, subject, received_at, signed_at, signature, body, due_at, attempts, late
  `.withoutTransform
  return (yield* validRows(sql, rows))
    .toSorted((a, b) => a.due_at - b.due_at || a.webhook_id - b.webhook_id)
    .map((row): LeasedEntry => ({
      sender: row.sender,
      webhookId: row.webhook_id,
      event: row.event,
      subject: row.subject ?? undefined,
      receivedAt: row.received_at,
      signedAt: row.signed_at,
      signature: row.signature,
      body: row.body,
      attempts: row.attempts,
      late: row.late === 1
    }))
})

// `attempts` is the fencing token: each lease increases it, so a lost lease matches no row.
const held = (sql: Sql, { sender, attempts, webhookId }: LeasedEntry) =>
  sql`sender = ${sender} AND webhook_id = ${webhookId} AND attempts = ${attempts} AND state = 'waiting' AND leased_until IS NOT NULL`

/** Returns the statement that marks all leases of a JSON list as done. Its text is the same for any number of leases. */
const marking = (
  parameter: (number: number) => string,
  leases: string,
  lease: { readonly sender: string; readonly webhookId: string; readonly attempts: string },
  sign = ""
): string => `
  UPDATE inbox_deliveries SET state = 'done', leased_until = NULL, last_problem = NULL, settled_at = ${parameter(1)}
  FROM ${leases}
  WHERE inbox_deliveries.sender = ${lease.sender} AND inbox_deliveries.webhook_id = ${lease.webhookId}
    AND inbox_deliveries.attempts = ${lease.attempts} AND ${sign}state = 'waiting' AND ${sign}leased_until IS NOT NULL
  RETURNING inbox_deliveries.webhook_id
`

const ofJson = (field: string) => `lease.value ->> '${field}'`

const markings = {
  pg: marking(
    (number) => `$${number}`,
    `jsonb_to_recordset($2::jsonb) AS lease (sender text, "webhookId" bigint, attempts integer)`,
    { sender: "lease.sender", webhookId: 'lease."webhookId"', attempts: "lease.attempts" }
  ),
  sqlite: marking(
    (number) => `?${number}`,
    "json_each(?2) AS lease",
    { sender: ofJson("sender"), webhookId: ofJson("webhookId"), attempts: ofJson("attempts") },
    // The `+` keeps SQLite from using the index of leases, with which it would compare each row with the whole list.
    "+"
  )
}

const done = Effect.fnUntraced(function* (sql: Sql, leases: ReadonlyArray<LeasedEntry>) {
  if (leases.length === 0) return 0
  const now = yield* Clock.currentTimeMillis
  const text = sql.onDialectOrElse({ pg: () => markings.pg, orElse: () => markings.sqlite })
  const named = leases.map(({ sender, attempts, webhookId }) => ({ sender, webhookId, attempts }))
  const rows = yield* sql.unsafe(text, [now, JSON.stringify(named)]).withoutTransform
  return rows.length
})

const retry = Effect.fnUntraced(function* (
  sql: Sql,
  lease: LeasedEntry,
  { problem, wait }: { readonly wait: Duration.Duration; readonly problem: string }
) {
  const dueAt = (yield* Clock.currentTimeMillis) + Math.ceil(Duration.toMillis(Duration.min(wait, maxDelay)))
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql`
        UPDATE inbox_deliveries SET leased_until = NULL, due_at = ${dueAt}, last_problem = ${problem}
        WHERE ${held(sql, lease)} RETURNING webhook_id
      `.withoutTransform
      if (rows.length === 0) return false
      // Otherwise every lease until then would read and skip the later deliveries of the subject.
      yield* sql`
        UPDATE inbox_deliveries SET due_at = ${dueAt}
        WHERE sender = ${lease.sender} AND subject = ${lease.subject ?? null} AND state = 'waiting' AND due_at < ${dueAt}
      `
      return true
    })
  )
})

const fail = Effect.fnUntraced(function* (sql: Sql, lease: LeasedEntry, problem: string) {
  const now = yield* Clock.currentTimeMillis
  const rows = yield* sql`
    UPDATE inbox_deliveries SET state = 'failed', leased_until = NULL, last_problem = ${problem}, settled_at = ${now}
    WHERE ${held(sql, lease)} RETURNING webhook_id
  `.withoutTransform
  return rows.length === 1
})

const release = (sql: Sql) =>
  Effect.map(
    sql`UPDATE inbox_deliveries SET leased_until = NULL WHERE leased_until IS NOT NULL RETURNING webhook_id`
      .withoutTransform,
    (rows) => rows.length
  )
