/**
 * Webhook endpoints, their health, and replays of deliveries in SQL.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/Instant"
import { type WebhookEndpoint, WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import { type WebhookReplay, WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Columns from "./sql/Columns.ts"
import { forUpdate } from "./sql/Dialect.ts"
import { toStoreError } from "./sql/StoreErrors.ts"
import { dueAgainSql, filterConditions, isIn, mayBeReplayed } from "./tables/Deliveries.ts"
import { endpointOf, healthy, replayOf, webhookEndpoints, webhookReplays } from "./tables/Webhooks.ts"
import * as Spans from "@parcela/engine/Spans"

const endpointsOf = (rows: ReadonlyArray<unknown>) =>
  Effect.map(Effect.fromResult(webhookEndpoints.decode(rows)), (read) =>
    read.map((row): WebhookEndpoint => {
      const { health, state } = endpointOf(row)
      return { ...state, ...health }
    })
  )

const storeErrors = Effect.mapError(toStoreError("webhook_endpoints"))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerEndpoints: Layer.Layer<WebhookEndpoints, never, SqlClient.SqlClient> = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(webhookEndpoints.selected)
    return WebhookEndpoints.of({
      ofCompany: Spans.fn("WebhookEndpoints.ofCompany")(function* (companyId) {
        return yield* endpointsOf(
          yield* sql`
            SELECT ${columns} FROM webhook_endpoints WHERE company_id = ${companyId} AND deleted_at IS NULL ORDER BY id
          `
        )
      }, storeErrors),

      find: Spans.fn("WebhookEndpoints.find")(function* (id) {
        const [found] = yield* endpointsOf(
          yield* sql`SELECT ${columns} FROM webhook_endpoints WHERE id = ${id} AND deleted_at IS NULL`
        )
        return Option.fromUndefinedOr(found)
      }, storeErrors),

      listDue: Spans.fn("WebhookEndpoints.listDue")((request) => listDue(sql, request), storeErrors),

      fail: Spans.fn("WebhookEndpoints.fail")(function* (id, now, nextAt) {
        yield* sql`
          UPDATE webhook_endpoints SET failures = failures + 1, failing_since = COALESCE(failing_since, ${now}),
            next_at = ${nextAt}, waits_since = ${now}
          WHERE id = ${id}
        `
      }, storeErrors),

      recover: Spans.fn("WebhookEndpoints.recover")(function* (id) {
        yield* sql`UPDATE webhook_endpoints SET ${sql.update(healthy)} WHERE id = ${id}`
      }, storeErrors)
    })
  })
)

const listDue = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { after, except, limit, now }: Parameters<WebhookEndpoints["Service"]["listDue"]>[0]
) {
  const others = except.length === 0 ? [] : [sql`NOT ${sql.in("endpoint.id", except)}`]
  // The recursion steps from one endpoint with pending deliveries to the next. It needs one lookup for each such endpoint, however many
  // deliveries they have and however many endpoints have none.
  const rows = yield* sql<{ readonly id: number | string }>`
    WITH RECURSIVE queues (id) AS (
      SELECT min(endpoint_id) FROM deliveries WHERE state = 'pending'
      UNION ALL
      SELECT (SELECT min(endpoint_id) FROM deliveries WHERE state = 'pending' AND endpoint_id > queues.id)
      FROM queues WHERE queues.id IS NOT NULL
    )
    SELECT endpoint.id FROM queues JOIN webhook_endpoints AS endpoint ON endpoint.id = queues.id
    WHERE ${sql.and([
      sql`endpoint.state = 'on'`,
      sql`(endpoint.next_at IS NULL OR endpoint.next_at <= ${now})`,
      // A value: PostgreSQL turns EXISTS into a join that reads all pending deliveries of an endpoint, due or not.
      sql`(
        SELECT webhook_id FROM deliveries
        WHERE deliveries.endpoint_id = endpoint.id AND deliveries.state = 'pending' AND deliveries.due_at <= ${now}
          AND (deliveries.leased_until IS NULL OR deliveries.leased_until <= ${now})
        ORDER BY due_at LIMIT 1
      ) IS NOT NULL`,
      ...others
    ])} ORDER BY CASE WHEN endpoint.id > ${after} THEN 0 ELSE 1 END, endpoint.id LIMIT ${limit}
  `
  return rows.map(({ id }) => Number(id))
})

const decodeMatches = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ webhookId: Columns.integer(Schema.Int), matches: Columns.integer(Schema.Int) }))
)

const replayErrors = Effect.mapError(toStoreError("webhook_replays"))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerReplays: Layer.Layer<WebhookReplays, never, SqlClient.SqlClient> = Layer.effect(
  WebhookReplays,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return WebhookReplays.of({
      find: Spans.fn("WebhookReplays.find")((id) => find(sql, id, sql.literal("")), replayErrors),
      advance: Spans.fn("WebhookReplays.advance")(
        (id, limit, now) => sql.withTransaction(advance(sql, id, limit, now)),
        replayErrors
      )
    })
  })
)

const find = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: number, locking: Fragment) {
  const rows = yield* sql`
    SELECT ${sql.literal(webhookReplays.selected)} FROM webhook_replays WHERE id = ${id} ${locking}
  `
  const [found] = yield* Effect.fromResult(webhookReplays.decode(rows))
  return Option.map(Option.fromUndefinedOr(found), replayOf)
})

const advance = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: number, limit: number, now: MachineTime) {
  const before = Option.getOrUndefined(yield* find(sql, id, forUpdate(sql)))
  if (before === undefined) return Option.none()
  if (before.isDone) return Option.some({ replay: before, replayed: 0 })
  const { next, replayed } = yield* step(sql, before, limit, now)
  const replay: WebhookReplay = {
    ...before,
    after: next ?? before.upTo,
    replayed: before.replayed + replayed,
    isDone: next === undefined
  }
  yield* sql`
    UPDATE webhook_replays
    SET ${sql.update({ after_id: replay.after, replayed: replay.replayed, is_done: replay.isDone ? 1 : 0 })}
    WHERE id = ${id}
  `
  return Option.some({ replay, replayed })
})

/** Reads a bounded number of rows in the order of an index, however few of them match the filter. */
const step = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { after, companyId, filter, upTo }: WebhookReplay,
  limit: number,
  now: MachineTime
) {
  const { state, ...rest } = filter
  const rows = yield* sql`
    SELECT webhook_id AS "webhookId", CASE WHEN ${sql.and([sql`1 = 1`, ...filterConditions(sql, rest)])} THEN 1 ELSE 0 END AS matches
    FROM deliveries
    WHERE company_id = ${companyId} AND ${isIn(sql, state)} AND webhook_id > ${after} AND webhook_id <= ${upTo}
    ORDER BY webhook_id LIMIT ${limit}
  `
  const seen = yield* decodeMatches(rows)
  const next = seen.length < limit ? undefined : seen.at(-1)?.webhookId
  const ids = seen.filter(({ matches }) => matches === 1).map(({ webhookId }) => webhookId)
  if (ids.length === 0) return { replayed: 0, next }
  const replayed = yield* sql`
    UPDATE deliveries SET ${dueAgainSql(sql, now)}
    WHERE ${sql.in("webhook_id", ids)} AND ${isIn(sql, state)} AND ${mayBeReplayed(sql)} RETURNING webhook_id
  `
  return { replayed: replayed.length, next }
})
