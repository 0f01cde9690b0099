/**
 * The table of due work.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import type { DueTime, NewWork, WorkKind } from "@parcela/engine/ports/DueWork"
import * as Schema from "effect/Schema"
import { integer } from "../internal/Columns.ts"
import type { Columns } from "../internal/EntityTable.ts"

/**
 * When a row is due: a date has no beginning, a wait has.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueColumns = (due: DueTime) => ({
  clock: due.clock,
  due_at: due.dueAt,
  waits_since: due.clock === "machine" ? due.waitsSince : null
})

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
  ...dueColumns(work),
  lease_owner: work.clock === "machine" ? (work.leasedBy ?? null) : null,
  lease: null,
  tries: 0,
  last_problem: null,
  parked_at: null
})

const companyId = Schema.NullOr(integer(CompanyId))

// A kind that this version does not know may stand there.
const kind = Schema.declare((_: unknown): _ is WorkKind => typeof _ === "string")

const tries = integer(Schema.Int)

/**
 * @category decoders
 * @since 0.1.0
 */
export const decodeLeased = Schema.decodeUnknownEffect(Schema.Struct({ subject: Schema.String, companyId, tries }))

/**
 * @category decoders
 * @since 0.1.0
 */
export const decodeParked = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      kind,
      companyId,
      subject: Schema.String,
      parkedAt: integer(MachineTime),
      tries,
      problem: Schema.NullOr(Schema.String)
    })
  )
)

/**
 * @category decoders
 * @since 0.1.0
 */
export const decodeWaiting = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ kind, subject: Schema.String, tries, problem: Schema.NullOr(Schema.String) }))
)
