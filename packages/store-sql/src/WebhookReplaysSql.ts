/**
 * Replays of deliveries in SQL.
 *
 * @since 0.1.0
 */
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { type WebhookReplay, WebhookReplays } from "@parcela/engine/ports/WebhookReplays"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import { dueAgain, fitting, isIn, mayBeReplayed } from "./outbox/Fragments.ts"
import { replayOf, webhookReplays } from "./tables/WebhookReplays.ts"

const decodeFitting = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ webhookId: Columns.integer(Schema.Int), fits: Columns.integer(Schema.Int) }))
)

const storeErrors = Effect.mapError(toStoreError("webhook_replays"))

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<WebhookReplays, never, SqlClient.SqlClient> = Layer.effect(
  WebhookReplays,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return WebhookReplays.of({
      find: Effect.fn("WebhookReplays.find")((id) => find(sql, id, sql.literal("")), storeErrors),
      advance: Effect.fn("WebhookReplays.advance")(
        (id, limit, now) => sql.withTransaction(advance(sql, id, limit, now)),
        storeErrors
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
  const forUpdate = sql.onDialectOrElse({ pg: () => sql.literal("FOR UPDATE"), orElse: () => sql.literal("") })
  const before = Option.getOrUndefined(yield* find(sql, id, forUpdate))
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

/** A bounded number of rows is looked at, in the order of an index, however few of them fit. */
const step = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { after, companyId, filter, upTo }: WebhookReplay,
  limit: number,
  now: MachineTime
) {
  const { state, ...rest } = filter
  const rows = yield* sql`
    SELECT webhook_id AS "webhookId", CASE WHEN ${sql.and([sql`1 = 1`, ...fitting(sql, rest)])} THEN 1 ELSE 0 END AS fits
    FROM deliveries
    WHERE company_id = ${companyId} AND ${isIn(sql, state)} AND webhook_id > ${after} AND webhook_id <= ${upTo}
    ORDER BY webhook_id LIMIT ${limit}
  `
  const seen = yield* decodeFitting(rows)
  const next = seen.length < limit ? undefined : seen.at(-1)?.webhookId
  const ids = seen.filter(({ fits }) => fits === 1).map(({ webhookId }) => webhookId)
  if (ids.length === 0) return { replayed: 0, next }
  const replayed = yield* sql`
    UPDATE deliveries SET ${dueAgain(sql, now)}
    WHERE ${sql.in("webhook_id", ids)} AND ${isIn(sql, state)} AND ${mayBeReplayed(sql)} RETURNING webhook_id
  `
  return { replayed: replayed.length, next }
})
