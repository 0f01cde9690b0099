/**
 * Webhook deliveries in SQL.
 *
 * @since 0.1.0
 */
import { type DeliveryState, maxCounted, Outbox } from "@parcela/engine/ports/Outbox"
import { GroupCommit } from "@parcela/sqlite/GroupCommit"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { type RecordAttempts, recordOnPostgres, recordOnSqlite } from "./outbox/AttemptRecords.ts"
import * as DeliveryQueues from "./outbox/DeliveryQueues.ts"
import * as Columns from "./sql/Columns.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { attemptOf, deliveryAttempts, deliveryRecords, filterConditions, isIn, recordOf } from "./tables/Deliveries.ts"
import * as Spans from "@parcela/engine/Spans"

/**
 * On SQLite: the results of attempts share commits with other writes.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerSqlite: Layer.Layer<Outbox, never, SqlClient.SqlClient | GroupCommit> = Layer.effect(
  Outbox,
  Effect.zipWith(SqlClient.SqlClient, GroupCommit, (sql, groupCommit) => outbox(sql, recordOnSqlite(groupCommit)))
)

/**
 * @category layers
 * @since 0.1.0
 */
export const layerPostgres: Layer.Layer<Outbox, never, SqlClient.SqlClient> = Layer.effect(
  Outbox,
  Effect.map(SqlClient.SqlClient, (sql) => outbox(sql, recordOnPostgres(sql)))
)

const outbox = (sql: SqlClient.SqlClient, record: RecordAttempts): Outbox["Service"] =>
  Outbox.of({ ...DeliveryQueues.make(sql, record), ...reading(sql) })

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Columns.integer(Schema.Int) })]))

const decodeProblem = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ problem: Schema.NullOr(Schema.String) })))

const storeErrors = Effect.mapError(toStoreError("deliveries"))

const reading = (sql: SqlClient.SqlClient): Pick<Outbox["Service"], "count" | "follow" | "list" | "attempts"> => ({
  attempts: Spans.fn("Outbox.attempts")(function* (companyId, webhookId) {
    const rows = yield* sql`
      SELECT ${sql.literal(deliveryAttempts.selected)} FROM delivery_attempts
      WHERE webhook_id = ${webhookId} AND EXISTS (
        SELECT 1 FROM deliveries WHERE deliveries.webhook_id = ${webhookId} AND company_id = ${companyId}
      ) ORDER BY id
    `
    return (yield* Effect.fromResult(deliveryAttempts.decode(rows))).map(attemptOf)
  }, storeErrors),

  list: Spans.fn("Outbox.list")(function* (companyId, filter, before, limit) {
    const conditions = [sql`company_id = ${companyId}`, ...filterConditions(sql, filter), sql`webhook_id < ${before}`]
    const rows = yield* sql`
      SELECT ${sql.literal(deliveryRecords.selected)} FROM deliveries
      WHERE ${sql.and(conditions)} ORDER BY webhook_id DESC LIMIT ${limit}
    `
    return (yield* Effect.fromResult(deliveryRecords.decode(rows))).map(recordOf)
  }, storeErrors),

  follow: Spans.fn("Outbox.follow")(function* (companyId, filter, after, limit) {
    const conditions = [sql`company_id = ${companyId}`, ...filterConditions(sql, filter), sql`webhook_id > ${after}`]
    const rows = yield* sql`
      SELECT ${sql.literal(deliveryRecords.selected)} FROM deliveries
      WHERE ${sql.and(conditions)} ORDER BY webhook_id LIMIT ${limit}
    `
    return (yield* Effect.fromResult(deliveryRecords.decode(rows))).map(recordOf)
  }, storeErrors),

  count: Spans.fn("Outbox.count")(function* (endpointId) {
    return {
      waiting: yield* countOf(sql, endpointId, "pending"),
      dead: yield* countOf(sql, endpointId, "abandoned"),
      lastProblem:
        // Failed deliveries have the latest due time.
        (yield* problemOf(sql, endpointId, "pending", "due_at DESC, webhook_id DESC")) ??
        (yield* problemOf(sql, endpointId, "abandoned", "webhook_id DESC"))
    }
  }, storeErrors)
})

const countOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, endpointId: number, state: DeliveryState) {
  const rows = yield* sql`
    SELECT count(*) AS count FROM (
      SELECT 1 AS one FROM deliveries WHERE endpoint_id = ${endpointId} AND ${isIn(sql, state)} LIMIT ${maxCounted}
    ) AS counted
  `
  return (yield* decodeCount(rows))[0].count
})

const problemOf = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  endpointId: number,
  state: DeliveryState,
  order: string
) {
  const rows = yield* sql`
    SELECT last_problem AS problem FROM deliveries WHERE endpoint_id = ${endpointId} AND ${isIn(sql, state)}
    ORDER BY ${sql.literal(order)} LIMIT 1
  `
  return (yield* decodeProblem(rows))[0]?.problem ?? undefined
})
