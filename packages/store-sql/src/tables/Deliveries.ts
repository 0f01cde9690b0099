/**
 * The table of deliveries.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { SvcPayId } from "@parcela/core/values/Identifier"
import { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import type { DeliveryRecord, NewDelivery } from "@parcela/engine/ports/Outbox"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import type * as EntityTable from "../internal/EntityTable.ts"
import * as RowTable from "../internal/RowTable.ts"

/**
 * A delivery that is due at once, without its payload.
 *
 * @category conversions
 * @since 0.1.0
 */
export const deliveryRow = (delivery: NewDelivery): EntityTable.Columns => ({
  company_id: delivery.companyId,
  endpoint_id: delivery.endpointId,
  event: delivery.event,
  transaction_id: delivery.transactionId,
  created_at: delivery.createdAt,
  state: "pending",
  tries: 0,
  due_at: delivery.createdAt,
  waits_since: delivery.createdAt
})

/**
 * A delivery that was over and is due again, with the tries before it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueAgain = (at: MachineTime): EntityTable.Columns => ({
  state: "pending",
  tries: 0,
  due_at: at,
  waits_since: at,
  given_up_at: null,
  delivered_at: null
})

const ownColumns = {
  webhookId: "webhook_id",
  endpointId: "endpoint_id",
  event: "event",
  transactionId: "transaction_id",
  createdAt: "created_at",
  tries: "tries"
} as const

/**
 * A delivery as it is made.
 *
 * @category tables
 * @since 0.1.0
 */
export const madeDeliveries = RowTable.make({
  table: "deliveries",
  schema: Schema.Struct({
    webhookId: Columns.integer(Schema.Int),
    companyId: Columns.integer(CompanyId),
    endpointId: Columns.integer(Schema.Int),
    event: WebhookEvent,
    transactionId: Columns.integer(SvcPayId),
    payload: Schema.String,
    createdAt: Columns.integer(MachineTime),
    tries: Columns.integer(Schema.Int)
  }),
  columns: {
    ...ownColumns,
    companyId: "company_id",
    // Within the statement that leases the row.
    payload: "(SELECT payload FROM delivery_payloads WHERE delivery_payloads.webhook_id = deliveries.webhook_id)"
  }
})

const instant = Schema.NullOr(Columns.integer(MachineTime))

const RecordRow = Schema.Struct({
  webhookId: Columns.integer(Schema.Int),
  endpointId: Schema.NullOr(Columns.integer(Schema.Int)),
  event: Schema.String,
  transactionId: Columns.integer(Schema.Int),
  createdAt: Columns.integer(MachineTime),
  tries: Columns.integer(Schema.Int),
  state: Schema.Literals(["pending", "delivered", "given_up"]),
  dueAt: Columns.integer(MachineTime),
  leasedUntil: instant,
  deliveredAt: instant,
  givenUpAt: instant,
  problem: Schema.NullOr(Schema.String)
})

/**
 * A delivery as it is looked at: also an event that this version does not know, and one without an endpoint.
 *
 * @category tables
 * @since 0.1.0
 */
export const deliveryRecords = RowTable.make({
  table: "deliveries",
  schema: RecordRow,
  columns: {
    ...ownColumns,
    state: "state",
    dueAt: "due_at",
    leasedUntil: "leased_until",
    deliveredAt: "delivered_at",
    givenUpAt: "given_up_at",
    problem: "last_problem"
  }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const recordOf = (row: typeof RecordRow.Type): DeliveryRecord => {
  const { deliveredAt, dueAt, endpointId, givenUpAt, leasedUntil, problem, ...record } = row
  return {
    ...record,
    endpointId: endpointId ?? undefined,
    at: deliveredAt ?? givenUpAt ?? leasedUntil ?? dueAt,
    problem: problem ?? undefined
  }
}
