/**
 * An entry of the journal has a subject, an origin, and what changed; and a place that a cursor can rely on.
 *
 * **Details**
 *
 * What was written before keeps its event, gets the subject of it and has neither an origin nor states. On PostgreSQL
 * numbers are given before a commit and not in its order, so each entry has its transaction's number beside its own: see
 * `JournalSql`. Access tokens keep whose credentials they were issued for, so that entries can say it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"

/**
 * @category migrations
 * @since 0.1.0
 */
export const journalEntries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const isPg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const integer = sql.literal(isPg ? "BIGINT" : "INTEGER")
  const field = (name: string) =>
    sql.literal(isPg ? `(event::jsonb ->> '${name}')` : `json_extract(event, '$.${name}')`)

  yield* sql`ALTER TABLE access_tokens ADD COLUMN client_id TEXT`

  const texts = ["subject_kind", "subject_id", "actor", "cause", "request_id", "state_before", "state_after"]
  yield* Effect.forEach(texts, (name) => sql`ALTER TABLE journal ADD COLUMN ${sql(name)} TEXT`, { discard: true })
  yield* sql`ALTER TABLE journal ADD COLUMN state_version ${integer}`
  yield* sql`ALTER TABLE journal ADD COLUMN business_at ${integer}`
  // An event may name several: the one that it is about stands first.
  yield* sql`
    UPDATE journal SET
      business_at = at,
      subject_kind = CASE
        WHEN ${field("transactionId")} IS NOT NULL THEN 'transaction'
        WHEN ${field("subscriptionId")} IS NOT NULL THEN 'subscription'
        WHEN ${field("cardId")} IS NOT NULL THEN 'card'
        WHEN ${field("customerId")} IS NOT NULL THEN 'customer'
        ELSE 'webhook endpoint' END,
      subject_id = coalesce(
        CAST(${field("transactionId")} AS TEXT), CAST(${field("subscriptionId")} AS TEXT),
        CAST(${field("cardId")} AS TEXT), CAST(${field("customerId")} AS TEXT),
        CAST(${field("endpointId")} AS TEXT), 'default'
      )
  `
  yield* sql`UPDATE journal SET event = '[' || event || ']'`
  yield* sql`ALTER TABLE journal RENAME COLUMN event TO events`

  if (!isPg) return
  yield* sql`ALTER TABLE journal ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id()`
  yield* sql`DROP INDEX journal_company`
  yield* sql`CREATE INDEX journal_order ON journal (xid, id)`
  yield* sql`CREATE INDEX journal_company ON journal (company_id, xid, id)`
})
