/**
 * The table of scheduled jobs, `due_work`.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
import type { DueTime, NewWork, WorkKind } from "@parcela/engine/ports/DueWork"
import * as Schema from "effect/Schema"
import { integer } from "../sql/Columns.ts"
import * as Shapes from "../sql/Shapes.ts"

/** Only a wait on the machine's clock has a start. */
const waitsSinceOf = (due: DueTime) => (due.clock === "machine" ? due.waitsSince : null)

/**
 * The columns of the due time.
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
 * New rows. A new row replaces an earlier row of the same name, with its lease, its backoff and its quarantine.
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
 * A new row, by the names of its columns.
 *
 * @category conversions
 * @since 0.1.0
 */
export const dueWorkRow = (work: NewWork) => Shapes.recordOf(newDueWork, work)

/**
 * The delete of rows of one kind.
 *
 * @category columns
 * @since 0.1.0
 */
export const deletedWork: Shapes.DeleteShape = { table: "due_work", where: ["kind"], among: "subject" }

const companyId = Schema.NullOr(integer(CompanyId))

// Another version may have written a kind that this version does not know.
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
