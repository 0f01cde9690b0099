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
import type * as EntityTable from "../internal/EntityTable.ts"
import * as RowTable from "../internal/RowTable.ts"

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
 * @category conversions
 * @since 0.1.0
 */
export const replayRow = (replay: WebhookReplay): EntityTable.Columns => ({
  id: replay.id,
  company_id: replay.companyId,
  // Absent keys of a filter may be there as undefined, which JSON leaves out.
  filter: JSON.stringify(replay.filter),
  after_id: replay.after,
  up_to: replay.upTo,
  replayed: replay.replayed,
  is_done: replay.isDone ? 1 : 0,
  created_at: replay.createdAt
})
