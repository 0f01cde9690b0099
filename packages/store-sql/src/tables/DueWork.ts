/**
 * The table of due work.
 *
 * @since 0.1.0
 */
import type { NewWork } from "@parcela/engine/ports/DueWork"
import type { Columns } from "../internal/EntityTable.ts"

/**
 * A row that takes the place of an earlier one of its name: leases, waits and parking of that are over.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueWorkRow = (work: NewWork): Columns => ({
  kind: work.kind,
  subject: work.subject,
  company_id: work.companyId ?? null,
  due_at: work.dueAt,
  waits_since: work.waitsSince ?? null,
  lease_owner: work.leasedBy ?? null,
  lease: null,
  tries: 0,
  last_problem: null,
  parked_at: null
})
