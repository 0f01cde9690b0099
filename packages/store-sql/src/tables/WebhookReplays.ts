/**
 * The table of replays of deliveries.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import type { WebhookReplay } from "@parcela/engine/ports/WebhookReplays"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import * as RowTable from "../internal/RowTable.ts"
import * as Shapes from "../internal/Shapes.ts"

const ReplayRow = Schema.Struct({
  id: Columns.integer(Schema.Int),
  companyId: Columns.integer(CompanyId),
  filter: Schema.fromJsonString(
    Schema.Struct({
      state: Schema.Literals(["given_up", "delivered"]),
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
 * How rows of replays are read.
 *
 * @category tables
 * @since 0.1.0
 */
export const webhookReplays = RowTable.make({
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
  // Absent keys of a filter may be there as undefined, which JSON leaves out.
  filter: ({ filter }) => JSON.stringify(filter),
  after_id: ({ after }) => after,
  up_to: ({ upTo }) => upTo,
  replayed: ({ replayed }) => replayed,
  is_done: ({ isDone }) => (isDone ? 1 : 0),
  created_at: ({ createdAt }) => createdAt
})
