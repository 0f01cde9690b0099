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
import * as RowTable from "../internal/RowTable.ts"
import * as Shapes from "../internal/Shapes.ts"

/**
 * A delivery that is due at once, without its payload.
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
  tries: () => 0,
  due_at: ({ createdAt }) => createdAt,
  waits_since: ({ createdAt }) => createdAt
})

/**
 * Its payload, under its number.
 *
 * @category columns
 * @since 0.1.0
 */
export const newPayloads = Shapes.rows<NewDelivery>("delivery_payloads", { payload: ({ payload }) => payload })

const dueAgain: Shapes.Cells<MachineTime> = {
  state: () => "pending",
  tries: () => 0,
  due_at: (at) => at,
  waits_since: (at) => at,
  given_up_at: () => null,
  delivered_at: () => null
}

/**
 * A delivery that was over and is due again, with the tries before it.
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
 * The values of {@link replayedDelivery} that is due then.
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
  endpointId: Columns.integer(Schema.Int),
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
 * A delivery as it is looked at: also an event that this version does not know.
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
  const { deliveredAt, dueAt, givenUpAt, leasedUntil, problem, ...record } = row
  return {
    ...record,
    at: deliveredAt ?? givenUpAt ?? leasedUntil ?? dueAt,
    problem: problem ?? undefined
  }
}
