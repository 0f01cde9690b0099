/**
 * Webhook endpoints in SQL.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import { SecretVersions } from "@parcela/core/webhooks/SecretVersion"
import { Changed, StoreError } from "@parcela/engine/ports/StoreError"
import { type EndpointSettings, type WebhookEndpoint, WebhookEndpoints } from "@parcela/engine/ports/WebhookEndpoints"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as Columns from "./internal/Columns.ts"
import { toStoreError } from "./internal/StoreErrors.ts"
import {
  defaultColumns,
  editedColumns,
  encodeEvents,
  encodeSecrets,
  isOn,
  notFailing
} from "./tables/WebhookEndpoints.ts"

const Events = Schema.Array(WebhookEvent)
const instant = Schema.NullOr(Columns.integer(EpochMillis))

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      id: Columns.integer(Schema.Int),
      companyId: Columns.integer(CompanyId),
      isDefault: Columns.integer(Schema.Literals([0, 1])),
      url: Schema.String,
      events: Schema.fromJsonString(Events),
      state: Schema.Literals(["on", "off"]),
      offReason: Schema.NullOr(Schema.String),
      offAt: instant,
      failures: Columns.integer(Schema.Int),
      failingSince: instant,
      nextAt: instant,
      secrets: Schema.fromJsonString(SecretVersions)
    })
  )
)

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Columns.integer(Schema.Int) })))

const endpointsOf = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeRows(rows), (decoded) =>
    decoded.map(({ failingSince, isDefault, nextAt, offAt, offReason, state, ...row }): WebhookEndpoint => ({
      ...row,
      isDefault: isDefault === 1,
      isOn: state === "on",
      offReason: offReason ?? undefined,
      offAt: offAt ?? undefined,
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
      `id, company_id AS "companyId", is_default AS "isDefault", url, events, state, off_reason AS "offReason",
       off_at AS "offAt", failures, failing_since AS "failingSince", next_at AS "nextAt", secrets`
    )

    const ofCompany = Effect.fnUntraced(function* (companyId: CompanyId) {
      return yield* endpointsOf(
        yield* sql`
          SELECT ${columns} FROM webhook_endpoints WHERE company_id = ${companyId} AND deleted_at IS NULL ORDER BY id
        `
      )
    })

    const put = Effect.fnUntraced(function* (companyId: CompanyId, edited: EndpointSettings, now: EpochMillis) {
      const settings = editedColumns(edited, now)
      const created = defaultColumns(companyId, now)
      // One statement: a look first would let two first edits insert both.
      const rows = yield* sql`
        INSERT INTO webhook_endpoints ${sql.insert({ ...created, ...settings })}
        ON CONFLICT (company_id) WHERE is_default = 1 DO UPDATE SET ${sql.update(settings)}
        RETURNING ${columns}
      `
      const [written] = yield* endpointsOf(rows)
      return written!
    })

    const insert = Effect.fnUntraced(function* (
      companyId: CompanyId,
      { events, secrets, url }: Parameters<WebhookEndpoints["Service"]["insert"]>[1],
      now: EpochMillis
    ) {
      const settings = { url, events: encodeEvents(events), secrets: encodeSecrets(secrets), ...isOn }
      const created = { company_id: companyId, is_default: 0, created_at: now, updated_at: now }
      const rows = yield* sql`
        INSERT INTO webhook_endpoints ${sql.insert({ ...created, ...settings })} RETURNING ${columns}
      `
      const [written] = yield* endpointsOf(rows)
      return written!
    })

    const replaceSecrets = Effect.fnUntraced(function* (
      { id, secrets: before }: Pick<WebhookEndpoint, "id" | "secrets">,
      secrets: SecretVersions,
      now: EpochMillis
    ) {
      const rows = yield* sql`
        UPDATE webhook_endpoints SET ${sql.update({ secrets: encodeSecrets(secrets), updated_at: now })}
        WHERE id = ${id} AND secrets = ${encodeSecrets(before)} RETURNING id
      `
      if (rows.length === 0) return yield* new StoreError({ reason: new Changed({ table: "webhook_endpoints" }) })
    })

    /** Writes columns of an endpoint that is there and for which `also` holds; false when there is none. */
    const change = Effect.fnUntraced(function* (
      id: number,
      values: Readonly<Record<string, string | number | null>>,
      also: string
    ) {
      const rows = yield* sql`
        UPDATE webhook_endpoints SET ${sql.update(values)}
        WHERE id = ${id} AND deleted_at IS NULL AND ${sql.literal(also)} RETURNING id
      `
      return rows.length > 0
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
        const [found] = yield* endpointsOf(
          yield* sql`SELECT ${columns} FROM webhook_endpoints WHERE id = ${id} AND deleted_at IS NULL`
        )
        return Option.fromUndefinedOr(found)
      }, storeErrors),

      put: Effect.fn("WebhookEndpoints.put")(put, storeErrors),

      insert: Effect.fn("WebhookEndpoints.insert")(insert, storeErrors),

      edit: Effect.fn("WebhookEndpoints.edit")(function* (
        id: number,
        { events, url }: EndpointSettings,
        now: EpochMillis
      ) {
        return yield* change(id, { url, events: encodeEvents(events), updated_at: now, ...notFailing }, "1 = 1")
      }, storeErrors),

      replaceSecrets: Effect.fn("WebhookEndpoints.replaceSecrets")(replaceSecrets, storeErrors),

      remove: Effect.fn("WebhookEndpoints.remove")(function* (id: number, now: EpochMillis) {
        return yield* change(id, { state: "off", events: "[]", deleted_at: now, updated_at: now }, "is_default = 0")
      }, storeErrors),

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
        return yield* change(id, { state: "off", off_reason: reason, off_at: now }, "state = 'on'")
      }, storeErrors),

      switchOn: Effect.fn("WebhookEndpoints.switchOn")(function* (id: number, now: EpochMillis) {
        return yield* change(id, { updated_at: now, ...isOn }, "state = 'off'")
      }, storeErrors)
    })
  })
)
