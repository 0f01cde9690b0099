/**
 * The table of the journal. A row has all entries of one command, which have one company, time and origin. `events` has the events of all
 * entries in their order. `subjects` has the subject of each entry, the number of its events, and its states before and after.
 *
 * @since 0.1.0
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { type JournalEntry, JournalSubject } from "@parcela/engine/ports/Journal"
import { Actor, OriginCause } from "@parcela/engine/ports/WriteContext"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Columns from "../sql/Columns.ts"
import * as Shapes from "../sql/Shapes.ts"
import { stateVersion } from "./Entities.ts"

const Events = Schema.Array(BillingEvent)
const Fields = Schema.Record(Schema.String, Schema.Unknown)

const Subjects = Schema.Array(
  Schema.Struct({
    ...JournalSubject.fields,
    events: Schema.Int,
    // JSON omits an undefined field.
    before: Schema.optional(Fields),
    after: Schema.optional(Fields),
    version: Schema.optional(Schema.Int)
  })
)

const subjectOf = ({ after, before, events, subject: { id, kind } }: JournalEntry): (typeof Subjects.Type)[number] => ({
  kind,
  id,
  events: events.length,
  before,
  after,
  version: after === undefined ? undefined : stateVersion
})

/** The entries of one command share one origin object. */
const isOfOneRow = (one: JournalEntry, other: JournalEntry): boolean =>
  one.origin === other.origin &&
  one.companyId === other.companyId &&
  one.at === other.at &&
  one.businessAt === other.businessAt

/**
 * Groups entries by row.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entriesOfRows = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<EntriesOfRow> =>
  Arr.isReadonlyArrayNonEmpty(entries) ? Arr.groupWith(entries, isOfOneRow) : []

type EntriesOfRow = Arr.NonEmptyReadonlyArray<JournalEntry>

/**
 * New rows.
 *
 * @category columns
 * @since 0.1.0
 */
export const newJournalRows = Shapes.rows<EntriesOfRow>("journal", {
  company_id: ([{ companyId }]) => companyId,
  at: ([{ at }]) => at,
  business_at: ([{ businessAt }]) => businessAt,
  actor: ([{ origin }]) => JSON.stringify(origin.actor),
  cause: ([{ origin }]) => (origin.cause === undefined ? null : JSON.stringify(origin.cause)),
  request_id: ([{ origin }]) => origin.requestId ?? null,
  events: (entries) => JSON.stringify(entries.flatMap((entry) => entry.events)),
  subjects: (entries) => JSON.stringify(entries.map(subjectOf))
})

/**
 * The columns that `entriesOf` reads.
 *
 * @category columns
 * @since 0.1.0
 */
export const columns = "company_id, at, business_at, actor, cause, request_id, events, subjects"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      company_id: Columns.integer(CompanyId),
      at: Columns.integer(MachineTime),
      business_at: Columns.integer(BusinessTime),
      actor: Schema.fromJsonString(Actor),
      cause: Schema.NullOr(Schema.fromJsonString(OriginCause)),
      request_id: Schema.NullOr(Schema.String),
      events: Schema.fromJsonString(Events),
      subjects: Schema.fromJsonString(Subjects)
    })
  )
)

type JournalRow = Effect.Success<ReturnType<typeof decodeRows>>[number]

const entriesIn = (row: JournalRow): ReadonlyArray<JournalEntry> => {
  let read = 0
  return row.subjects.map(({ after, before, events, id, kind }) => ({
    companyId: row.company_id,
    subject: { kind, id },
    at: row.at,
    businessAt: row.business_at,
    origin: {
      actor: row.actor,
      ...(row.cause === null ? {} : { cause: row.cause }),
      ...(row.request_id === null ? {} : { requestId: row.request_id })
    },
    events: row.events.slice(read, (read += events)),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after })
  }))
}

/**
 * Decodes rows with `columns`: the entries of each row.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entriesOf = (
  rows: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<ReadonlyArray<JournalEntry>>, Schema.SchemaError> =>
  Effect.map(decodeRows(rows), (read) => read.map(entriesIn))
