/**
 * The table of the journal.
 *
 * @since 0.1.0
 */
import { BillingEvent } from "@parcela/core/BillingEvent"
import type { JournalEntry } from "@parcela/engine/Journal"
import * as Columns from "../internal/Columns.ts"
import type * as EntityTable from "../internal/EntityTable.ts"

const event = Columns.json(BillingEvent)

/**
 * @category conversions
 * @since 0.1.0
 */
export const journalRow = (entry: JournalEntry): EntityTable.Columns => ({
  company_id: entry.companyId,
  at: entry.at,
  event: event.encode(entry.event)
})
