/**
 * Webhook endpoints in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/CompanyState"
import { EpochMillis } from "@parcela/core/EpochMillis"
import { WebhookEvent } from "@parcela/core/WebhookEvent"
import { type WebhookEndpoint, WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"

const Events = Schema.Array(WebhookEvent)
const encodeEvents = Schema.encodeSync(Schema.fromJsonString(Events))
const instant = Schema.NullOr(Columns.integer(EpochMillis))

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Columns.integer(Schema.Int),
      companyId: Columns.integer(CompanyId),
      url: Schema.String,
      events: Schema.fromJsonString(Events),
      state: Schema.Literals(["on", "off"]),
      failures: Columns.integer(Schema.Int),
      failingSince: instant,
      nextAt: instant
    })
  )
)

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Columns.integer(Schema.Int) })))

const endpointsOf = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(rows), (decoded) =>
    decoded.map(({ failingSince, nextAt, state, ...row }): WebhookEndpoint => ({
      ...row,
      isOn: state === "on",
      failingSince: failingSince ?? undefined,
      nextAt: nextAt ?? undefined
    }))
  )

/**
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps: Layer.Layer<WebhookEndpoints, never, SqlClient.SqlClient> = Layer.effect(
  WebhookEndpoints,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storeErrors = Effect.mapError(toStoreError("webhook_endpoints"))
    const columns = sql.literal(
      `id, company_id AS "companyId", url, events, state, failures, failing_since AS "failingSince", next_at AS "nextAt"`
    )

    const ofCompany = Effect.fnUntraced(function* (companyId: CompanyId) {
      return yield* endpointsOf(
        yield* sql`SELECT ${columns} FROM webhook_endpoints WHERE company_id = ${companyId} ORDER BY id`
      )
    })

    const put = Effect.fnUntraced(function* (
      companyId: CompanyId,
      { events, url }: { readonly url: string; readonly events: ReadonlyArray<WebhookEvent> },
      now: EpochMillis
    ) {
      const settings = { url, events: encodeEvents(events), state: "on", failures: 0, updated_at: now }
      const free = { off_reason: null, off_at: null, failing_since: null, next_at: null, waits_since: null }
      // One statement: a look first would let two first edits insert both.
      const rows = yield* sql`
        INSERT INTO webhook_endpoints ${sql.insert({ company_id: companyId, created_at: now, ...settings })}
        ON CONFLICT (company_id) DO UPDATE SET ${sql.update({ ...settings, ...free })}
        RETURNING ${columns}
      `
      const [written] = yield* endpointsOf(rows)
      return written!
    })

    // Steps from one endpoint with deliveries to the next: as many look-ups as there are such endpoints, however many
    // deliveries each has, and however many endpoints have none.
    const lanes = sql`
      lanes (id) AS (
        SELECT min(endpoint_id) FROM deliveries WHERE state = 'pending'
        UNION ALL
        SELECT (SELECT min(endpoint_id) FROM deliveries WHERE state = 'pending' AND endpoint_id > lanes.id)
        FROM lanes WHERE lanes.id IS NOT NULL
      )
    `

    return WebhookEndpoints.of({
      ofCompany: Effect.fn("WebhookEndpoints.ofCompany")(ofCompany, storeErrors),

      find: Effect.fn("WebhookEndpoints.find")(function* (id: number) {
        const [found] = yield* endpointsOf(yield* sql`SELECT ${columns} FROM webhook_endpoints WHERE id = ${id}`)
        return Option.fromUndefinedOr(found)
      }, storeErrors),

      put: Effect.fn("WebhookEndpoints.put")(put, storeErrors),

      listDue: Effect.fn("WebhookEndpoints.listDue")(function* (
        now: EpochMillis,
        except: ReadonlyArray<number>,
        limit: number
      ) {
        const others = except.length === 0 ? [] : [sql`NOT ${sql.in("endpoint.id", except)}`]
        const rows = yield* sql`
          WITH RECURSIVE ${lanes}
          SELECT endpoint.id FROM lanes JOIN webhook_endpoints AS endpoint ON endpoint.id = lanes.id
          WHERE ${sql.and([
            sql`endpoint.state = 'on'`,
            sql`(endpoint.next_at IS NULL OR endpoint.next_at <= ${now})`,
            sql`EXISTS (
              SELECT 1 FROM deliveries
              WHERE deliveries.endpoint_id = endpoint.id AND deliveries.state = 'pending' AND deliveries.due_at <= ${now}
            )`,
            ...others
          ])} LIMIT ${limit}
        `
        return (yield* decodeIds(rows)).map(({ id }) => id)
      }, storeErrors),

      fail: Effect.fn("WebhookEndpoints.fail")(function* (id: number, now: EpochMillis, nextAt: EpochMillis) {
        yield* sql`
          UPDATE webhook_endpoints SET failures = failures + 1, failing_since = COALESCE(failing_since, ${now}),
            next_at = ${nextAt}, waits_since = ${now}
          WHERE id = ${id}
        `
      }, storeErrors),

      recover: Effect.fn("WebhookEndpoints.recover")(function* (id: number) {
        yield* sql`
          UPDATE webhook_endpoints SET failures = 0, failing_since = NULL, next_at = NULL, waits_since = NULL
          WHERE id = ${id}
        `
      }, storeErrors),

      switchOff: Effect.fn("WebhookEndpoints.switchOff")(function* (id: number, reason: string, now: EpochMillis) {
        const rows = yield* sql`
          UPDATE webhook_endpoints SET state = 'off', off_reason = ${reason}, off_at = ${now}
          WHERE id = ${id} AND state = 'on' RETURNING id
        `
        return rows.length > 0
      }, storeErrors)
    })
  })
)
