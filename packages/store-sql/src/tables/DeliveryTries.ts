/**
 * The table of tries of deliveries.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import type { DeliveryTry } from "@parcela/engine/ports/Outbox"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import * as RowTable from "../internal/RowTable.ts"

const TryRow = Schema.Struct({
  startedAt: Columns.integer(MachineTime),
  duration: Columns.integer(Schema.Int),
  status: Schema.NullOr(Columns.integer(Schema.Int)),
  problem: Schema.NullOr(Schema.String)
})

/**
 * How rows of tries are read.
 *
 * @category tables
 * @since 0.1.0
 */
export const deliveryTries = RowTable.make({
  table: "delivery_tries",
  schema: TryRow,
  columns: { startedAt: "started_at", duration: "duration", status: "status", problem: "problem" }
})

/**
 * @category conversions
 * @since 0.1.0
 */
export const tryOf = ({ problem, status, ...made }: typeof TryRow.Type): DeliveryTry => ({
  ...made,
  status: status ?? undefined,
  problem: problem ?? undefined
})
