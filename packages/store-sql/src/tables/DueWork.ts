/**
 * The table of due work.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import type { DueTime, NewWork, WorkKind } from "@parcela/engine/ports/DueWork"
import * as Schema from "effect/Schema"
import { integer } from "../sql/Columns.ts"
import * as Shapes from "../sql/RowWrite.ts"

/** A date has no beginning, a wait has. */
const waitsSinceOf = (due: DueTime) => (due.clock === "machine" ? due.waitsSince : null)

/**
 * When a row is due.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueColumns = (due: DueTime) => ({
  clock: due.clock,
  due_at: due.dueAt,
  waits_since: waitsSinceOf(due)
})

/**
 * A row that takes the place of an earlier one of its name: leases, waits and quarantine of that row are over.
 *
 * @category columns
 * @since 0.1.0
 */
export const newDueWork = Shapes.rows<NewWork>(
  "due_work",
  {
    kind: ({ kind }) => kind,
    subject: ({ subject }) => subject,
    company_id: ({ companyId }) => companyId ?? null,
    clock: ({ clock }) => clock,
    due_at: ({ dueAt }) => dueAt,
    waits_since: waitsSinceOf,
    lease_owner: (work) => (work.clock === "machine" ? (work.leasedBy ?? null) : null),
    lease: () => null,
    failures: () => 0,
    last_problem: () => null,
    quarantined_at: () => null
  },
  { key: ["kind", "subject"], fixed: ["company_id"] }
)

/**
 * The same row, by the names of its columns.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueWorkRow = (work: NewWork) => Shapes.named(newDueWork, work)

/**
 * Rows of one kind that are gone.
 *
 * @category columns
 * @since 0.1.0
 */
export const goneDueWork: Shapes.DeleteShape = { table: "due_work", where: ["kind"], among: "subject" }

const companyId = Schema.NullOr(integer(CompanyId))

// A kind that this version does not know may stand there.
const kind = Schema.declare((_: unknown): _ is WorkKind => typeof _ === "string")

const failures = integer(Schema.Int)

/**
 * @category decoders
 * @since 0.1.0
 */
export const decodeLeased = Schema.decodeUnknownEffect(Schema.Struct({ subject: Schema.String, companyId, failures }))

/**
 * @category decoders
 * @since 0.1.0
 */
export const decodeQuarantined = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      kind,
      companyId,
      subject: Schema.String,
      quarantinedAt: integer(MachineTime),
      failures,
      problem: Schema.NullOr(Schema.String)
    })
  )
)
