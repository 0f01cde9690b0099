/**
 * The tables of webhook endpoints and of replays.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { SecretVersions } from "@parcela/core/webhooks/SecretVersion"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type { KnownEndpoint } from "@parcela/engine/command/LoadedCompany"
import type { WebhookReplay } from "@parcela/engine/ports/WebhookReplays"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import * as Shapes from "../sql/Shapes.ts"
import type { Value } from "../sql/Statement.ts"

const Events = Schema.fromJsonString(Schema.Array(WebhookEvent))
const Secrets = Schema.fromJsonString(SecretVersions)
const instant = Columns.integer(MachineTime)
const health = Schema.NullOr(Columns.integer(MachineTime))

const EndpointRow = Schema.Struct({
  id: Columns.integer(Schema.Int),
  companyId: Columns.integer(CompanyId),
  isDefault: Columns.integer(Schema.Literals([0, 1])),
  url: Schema.String,
  events: Events,
  state: Schema.Literals(["on", "off"]),
  offReason: Schema.NullOr(Schema.String),
  offAt: Schema.NullOr(instant),
  secrets: Secrets,
  createdAt: instant,
  updatedAt: instant,
  deletedAt: Schema.NullOr(instant),
  failures: Columns.integer(Schema.Int),
  failingSince: health,
  nextAt: health
})

/**
 * Endpoints with their health.
 *
 * @category tables
 * @since 0.1.0
 */
export const webhookEndpoints = Columns.rowTable({
  table: "webhook_endpoints",
  schema: EndpointRow,
  columns: {
    id: "id",
    companyId: "company_id",
    isDefault: "is_default",
    url: "url",
    events: "events",
    state: "state",
    offReason: "off_reason",
    offAt: "off_at",
    secrets: "secrets",
    createdAt: "created_at",
    updatedAt: "updated_at",
    deletedAt: "deleted_at",
    failures: "failures",
    failingSince: "failing_since",
    nextAt: "next_at"
  }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const endpointOf = (row: typeof EndpointRow.Type): KnownEndpoint => {
  const { deletedAt, failingSince, failures, isDefault, nextAt, offAt, offReason, state, ...rest } = row
  return {
    state: {
      ...rest,
      isDefault: isDefault === 1,
      isOn: state === "on",
      ...(offReason === null ? {} : { offReason }),
      ...(offAt === null ? {} : { offAt }),
      ...(deletedAt === null ? {} : { deletedAt })
    },
    health: { failures, failingSince: failingSince ?? undefined, nextAt: nextAt ?? undefined }
  }
}

const encodeEvents = Schema.encodeSync(Events)
const encodeSecrets = Schema.encodeSync(Secrets)

/** The columns of the state of an endpoint. */
const cells: Shapes.Cells<WebhookEndpointState> = {
  id: ({ id }) => id,
  company_id: ({ companyId }) => companyId,
  is_default: ({ isDefault }) => (isDefault ? 1 : 0),
  url: ({ url }) => url,
  events: ({ events }) => encodeEvents(events),
  state: ({ isOn }) => (isOn ? "on" : "off"),
  off_reason: ({ offReason }) => offReason ?? null,
  off_at: ({ offAt }) => offAt ?? null,
  secrets: ({ secrets }) => encodeSecrets(secrets),
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  deleted_at: ({ deletedAt }) => deletedAt ?? null
}

/**
 * The columns of a healthy endpoint.
 *
 * @category columns
 * @since 0.1.0
 */
export const healthy = {
  failures: 0,
  failing_since: null,
  next_at: null,
  waits_since: null
} satisfies Readonly<Record<string, Value>>

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newEndpoints = Shapes.rows<WebhookEndpointState>("webhook_endpoints", {
  ...cells,
  failures: () => healthy.failures,
  failing_since: () => healthy.failing_since,
  next_at: () => healthy.next_at,
  waits_since: () => healthy.waits_since
})

const changed = Shapes.changes("webhook_endpoints", cells, { further: [], versioned: false })

const recovered = Shapes.changes("webhook_endpoints", cells, { further: Object.keys(healthy), versioned: false })

/**
 * The update of a changed endpoint. `recovers`: the endpoint is healthy again.
 *
 * @category conversions
 * @since 0.1.0
 */
export const endpointChanges = (
  before: WebhookEndpointState,
  next: WebhookEndpointState,
  recovers: boolean
): Shapes.Update => (recovers ? recovered(before, next, Object.values(healthy)) : changed(before, next, []))

const ReplayRow = Schema.Struct({
  id: Columns.integer(Schema.Int),
  companyId: Columns.integer(CompanyId),
  filter: Schema.fromJsonString(
    Schema.Struct({
      state: Schema.Literals(["abandoned", "delivered"]),
      endpointId: Schema.optionalKey(Schema.Int),
      event: Schema.optionalKey(Schema.String),
      transactionId: Schema.optionalKey(Schema.Int),
      from: Schema.optionalKey(MachineTime),
      to: Schema.optionalKey(MachineTime)
    })
  ),
  after: Columns.integer(Schema.Int),
  upTo: Columns.integer(Schema.Int),
  replayed: Columns.integer(Schema.Int),
  isDone: Columns.integer(Schema.Literals([0, 1])),
  createdAt: Columns.integer(MachineTime)
})

/**
 * Replays of deliveries.
 *
 * @category tables
 * @since 0.1.0
 */
export const webhookReplays = Columns.rowTable({
  table: "webhook_replays",
  schema: ReplayRow,
  columns: {
    id: "id",
    companyId: "company_id",
    filter: "filter",
    after: "after_id",
    upTo: "up_to",
    replayed: "replayed",
    isDone: "is_done",
    createdAt: "created_at"
  }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const replayOf = ({ isDone, ...row }: typeof ReplayRow.Type): WebhookReplay => ({ ...row, isDone: isDone === 1 })

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newReplays = Shapes.rows<WebhookReplay>("webhook_replays", {
  id: ({ id }) => id,
  company_id: ({ companyId }) => companyId,
  // JSON omits the undefined fields of a filter.
  filter: ({ filter }) => JSON.stringify(filter),
  after_id: ({ after }) => after,
  up_to: ({ upTo }) => upTo,
  replayed: ({ replayed }) => replayed,
  is_done: ({ isDone }) => (isDone ? 1 : 0),
  created_at: ({ createdAt }) => createdAt
})
