/**
 * The tables of webhook deliveries, their payloads and their attempts.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type {
  DeliveryAttempt,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryState,
  NewDelivery
} from "@parcela/engine/ports/Outbox"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import * as Columns from "../sql/Columns.ts"
import * as Shapes from "../sql/Shapes.ts"

/**
 * New deliveries, due at once.
 *
 * @category columns
 * @since 0.1.0
 */
export const newDeliveries = Shapes.rows<NewDelivery>("deliveries", {
  company_id: ({ companyId }) => companyId,
  endpoint_id: ({ endpointId }) => endpointId,
  event: ({ event }) => event,
  transaction_id: ({ transactionId }) => transactionId,
  created_at: ({ createdAt }) => createdAt,
  state: () => "pending",
  attempts: () => 0,
  due_at: ({ createdAt }) => createdAt,
  waits_since: ({ createdAt }) => createdAt
})

/**
 * The payloads of new deliveries.
 *
 * @category columns
 * @since 0.1.0
 */
export const newPayloads = Shapes.rows<NewDelivery>("delivery_payloads", { payload: ({ payload }) => payload })

const dueAgain: Shapes.Cells<MachineTime> = {
  state: () => "pending",
  attempts: () => 0,
  due_at: (at) => at,
  waits_since: (at) => at,
  abandoned_at: () => null,
  delivered_at: () => null
}

/**
 * The update that makes an ended delivery due again. Its earlier attempts stay.
 *
 * @category columns
 * @since 0.1.0
 */
export const replayedDelivery: Shapes.UpdateShape = {
  table: "deliveries",
  set: Object.keys(dueAgain),
  where: ["company_id", "webhook_id"],
  versioned: false
}

/**
 * The values of {@link replayedDelivery}.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueAgainAt = Shapes.valuesOf(dueAgain)

const ownColumns = {
  webhookId: "webhook_id",
  endpointId: "endpoint_id",
  event: "event",
  transactionId: "transaction_id",
  createdAt: "created_at",
  attempts: "attempts"
} as const

/**
 * A delivery as a worker sends it.
 *
 * @category tables
 * @since 0.1.0
 */
export const sentDeliveries = Columns.rowTable({
  table: "deliveries",
  schema: Schema.Struct({
    webhookId: Columns.integer(Schema.Int),
    companyId: Columns.integer(CompanyId),
    endpointId: Columns.integer(Schema.Int),
    event: WebhookEvent,
    transactionId: Columns.integer(SvcPayId),
    payload: Schema.String,
    createdAt: Columns.integer(MachineTime),
    attempts: Columns.integer(Schema.Int)
  }),
  columns: {
    ...ownColumns,
    companyId: "company_id",
    payload: "(SELECT payload FROM delivery_payloads WHERE delivery_payloads.webhook_id = deliveries.webhook_id)"
  }
})

const instant = Schema.NullOr(Columns.integer(MachineTime))

const RecordRow = Schema.Struct({
  webhookId: Columns.integer(Schema.Int),
  endpointId: Columns.integer(Schema.Int),
  event: Schema.String,
  transactionId: Columns.integer(Schema.Int),
  createdAt: Columns.integer(MachineTime),
  attempts: Columns.integer(Schema.Int),
  state: Schema.Literals(["pending", "delivered", "abandoned"]),
  dueAt: Columns.integer(MachineTime),
  leasedUntil: instant,
  deliveredAt: instant,
  abandonedAt: instant,
  problem: Schema.NullOr(Schema.String)
})

/**
 * A delivery as clients see it. The event may be one that this version does not know.
 *
 * @category tables
 * @since 0.1.0
 */
export const deliveryRecords = Columns.rowTable({
  table: "deliveries",
  schema: RecordRow,
  columns: {
    ...ownColumns,
    state: "state",
    dueAt: "due_at",
    leasedUntil: "leased_until",
    deliveredAt: "delivered_at",
    abandonedAt: "abandoned_at",
    problem: "last_problem"
  }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const recordOf = (row: typeof RecordRow.Type): DeliveryRecord => {
  const { deliveredAt, dueAt, abandonedAt, leasedUntil, problem, ...record } = row
  return {
    ...record,
    at: deliveredAt ?? abandonedAt ?? leasedUntil ?? dueAt,
    problem: problem ?? undefined
  }
}

const AttemptRow = Schema.Struct({
  startedAt: Columns.integer(MachineTime),
  duration: Columns.integer(Schema.Int),
  status: Schema.NullOr(Columns.integer(Schema.Int)),
  problem: Schema.NullOr(Schema.String)
})

/**
 * The attempts of deliveries.
 *
 * @category tables
 * @since 0.1.0
 */
export const deliveryAttempts = Columns.rowTable({
  table: "delivery_attempts",
  schema: AttemptRow,
  columns: { startedAt: "started_at", duration: "duration", status: "status", problem: "problem" }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const attemptOf = ({ problem, status, ...made }: typeof AttemptRow.Type): DeliveryAttempt => ({
  ...made,
  status: status ?? undefined,
  problem: problem ?? undefined
})

/** Ends a lease. */
export const noLease = "lease_owner = NULL, lease = NULL, leased_at = NULL, leased_until = NULL"

/** The state is a literal, because partial indexes have it in their conditions. */
export const isIn = (sql: SqlClient, state: DeliveryState): Fragment => sql`state = ${sql.literal(`'${state}'`)}`

/** The conditions of a filter, without the company. */
export const filterConditions = (
  sql: SqlClient,
  { endpointId, event, from, state, to, transactionId }: DeliveryFilter
): ReadonlyArray<Fragment> => [
  ...(state === undefined ? [] : [isIn(sql, state)]),
  ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
  ...(event === undefined ? [] : [sql`event = ${event}`]),
  ...(transactionId === undefined ? [] : [sql`transaction_id = ${transactionId}`]),
  ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
  ...(to === undefined ? [] : [sql`created_at < ${to}`])
]

// `events` is a JSON array. Names of events have no characters that JSON escapes.
const isSubscribed = `
  EXISTS (
    SELECT 1 FROM webhook_endpoints AS endpoint
    WHERE endpoint.id = deliveries.endpoint_id AND endpoint.events LIKE '%"' || deliveries.event || '"%'
  )
`

/** The endpoint is enabled and subscribes to the event, so an ended delivery may be replayed. */
export const isReplayable = `
  ${isSubscribed} AND EXISTS (
    SELECT 1 FROM webhook_endpoints AS endpoint WHERE endpoint.id = deliveries.endpoint_id AND endpoint.state = 'on'
  )
`

/** The endpoint subscribes to the event. */
export const subscribed = (sql: SqlClient): Fragment => sql`${sql.literal(isSubscribed)}`

export const mayBeReplayed = (sql: SqlClient): Fragment => sql`${sql.literal(isReplayable)}`

export const dueAgainSql = (sql: SqlClient, now: MachineTime): Fragment => sql`
  state = 'pending', attempts = 0, due_at = ${now}, waits_since = ${now}, abandoned_at = NULL, delivered_at = NULL
`

export const abandoned = (sql: SqlClient, now: MachineTime, problem: string): Fragment => sql`
  state = 'abandoned', abandoned_at = ${now}, last_problem = ${problem}, ${sql.literal(noLease)}
`
