/**
 * The table of the journal.
 *
 * @since 0.1.0
 */
import { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime } from "@parcela/core/time/BusinessTime"
import { MachineTime } from "@parcela/core/time/MachineTime"
import { type JournalEntry, JournalSubject } from "@parcela/engine/ports/Journal"
import { Actor, OriginCause } from "@parcela/engine/commands/Origin"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Columns from "../internal/Columns.ts"
import type * as EntityTable from "../internal/EntityTable.ts"
import { cards } from "./Cards.ts"
import { charges } from "./Charges.ts"
import { customers } from "./Customers.ts"
import { plans } from "./Plans.ts"
import { subscriptions } from "./Subscriptions.ts"
import { transactions } from "./Transactions.ts"

const Events = Schema.Array(BillingEvent)
const Fields = Schema.Record(Schema.String, Schema.Unknown)

const events = Columns.json(Events)
const actor = Columns.json(Actor)
const cause = Columns.json(OriginCause)
const fields = Columns.json(Fields)

/** A column that may be empty. */
const encoded = <A>(column: Columns.JsonColumn<A>, value: A | undefined) =>
  value === undefined ? null : column.encode(value)

/** In which shape a state was written, so that it can be read when shapes have changed. */
const versions: Partial<Record<JournalSubject["kind"], number>> = {
  card: cards.states.current,
  charge: charges.states.current,
  customer: customers.states.current,
  plan: plans.states.current,
  subscription: subscriptions.states.current,
  transaction: transactions.states.current
}

/**
 * @category conversions
 * @since 0.1.0
 */
export const journalRow = (entry: JournalEntry): EntityTable.Columns => ({
  company_id: entry.companyId,
  subject_kind: entry.subject.kind,
  subject_id: entry.subject.id,
  at: entry.at,
  business_at: entry.businessAt,
  actor: encoded(actor, entry.origin?.actor),
  cause: encoded(cause, entry.origin?.cause),
  request_id: entry.origin?.requestId ?? null,
  events: events.encode(entry.events),
  state_before: encoded(fields, entry.before),
  state_after: encoded(fields, entry.after),
  state_version: entry.after === undefined ? null : (versions[entry.subject.kind] ?? null)
})

/**
 * The columns that `entriesOf` reads.
 *
 * @category columns
 * @since 0.1.0
 */
export const columns =
  "id, company_id, subject_kind, subject_id, at, business_at, actor, cause, request_id, events, state_before, state_after"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      company_id: Columns.integer(CompanyId),
      subject_kind: JournalSubject.fields.kind,
      subject_id: JournalSubject.fields.id,
      at: Columns.integer(MachineTime),
      business_at: Columns.integer(BusinessTime),
      actor: Schema.NullOr(Schema.fromJsonString(Actor)),
      cause: Schema.NullOr(Schema.fromJsonString(OriginCause)),
      request_id: Schema.NullOr(Schema.String),
      events: Schema.fromJsonString(Events),
      state_before: Schema.NullOr(Schema.fromJsonString(Fields)),
      state_after: Schema.NullOr(Schema.fromJsonString(Fields))
    })
  )
)

type JournalRow = Effect.Success<ReturnType<typeof decodeRows>>[number]

const entryOf = (row: JournalRow): JournalEntry => ({
  companyId: row.company_id,
  subject: { kind: row.subject_kind, id: row.subject_id },
  at: row.at,
  businessAt: row.business_at,
  ...(row.actor === null
    ? {}
    : {
        origin: {
          actor: row.actor,
          ...(row.cause === null ? {} : { cause: row.cause }),
          ...(row.request_id === null ? {} : { requestId: row.request_id })
        }
      }),
  events: row.events,
  ...(row.state_before === null ? {} : { before: row.state_before }),
  ...(row.state_after === null ? {} : { after: row.state_after })
})

/**
 * Entries from rows with `columns`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const entriesOf = (
  rows: ReadonlyArray<unknown>
): Effect.Effect<ReadonlyArray<JournalEntry>, Schema.SchemaError> =>
  Effect.map(decodeRows(rows), (read) => read.map(entryOf))
