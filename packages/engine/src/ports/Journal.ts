/**
 * Port: everything that was ever decided and changed, in order, never changed itself.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Origin } from "./Origin.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * What an entry is about. The id is a number but for attempts, and for the endpoint that `PUT /webhooks` edits, whose id
 * is `default`.
 *
 * @category schemas
 * @since 0.1.0
 */
export const JournalSubject = Schema.Struct({
  kind: Schema.Literals([
    "customer",
    "card",
    "plan",
    "subscription",
    "charge",
    "transaction",
    "attempt",
    "webhook endpoint",
    "webhook replay"
  ]),
  id: Schema.String
})

/**
 * @category models
 * @since 0.1.0
 */
export type JournalSubject = typeof JournalSubject.Type

/**
 * Fields of a state as JSON; `null` is a field that is not there.
 *
 * @category models
 * @since 0.1.0
 */
export type StateFields = Readonly<Record<string, unknown>>

/**
 * What one unit did to one subject.
 *
 * **Details**
 *
 * `before` and `after` have the fields that changed; of a new subject `after` is the whole state and `before` is absent.
 * The `after` of all entries of a subject, laid over one another in order, is its state. Both are absent where nothing
 * changed that is kept as a state.
 *
 * @category models
 * @since 0.1.0
 */
export interface JournalEntry {
  readonly companyId: CompanyId
  readonly subject: JournalSubject
  /** In machine time. */
  readonly at: MachineTime
  /** In the company's own time. */
  readonly businessAt: BusinessTime
  readonly origin: Origin
  /** What is made known of the subject; empty for an attempt, whose events are those of its transaction. */
  readonly events: ReadonlyArray<BillingEvent>
  readonly before?: StateFields | undefined
  readonly after?: StateFields | undefined
}

/**
 * A place in the journal. Only the store that gave it reads it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const JournalCursor = Schema.NonEmptyString.pipe(Schema.brand("JournalCursor"))

/**
 * @category models
 * @since 0.1.0
 */
export type JournalCursor = typeof JournalCursor.Type

/**
 * A cursor that the store did not give.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnknownCursor extends Schema.TaggedError<UnknownCursor>()("UnknownCursor", { cursor: Schema.String }) {
  override get message() {
    return `"${this.cursor}" is no cursor of this journal: use the one that came with the last entries, or begin without`
  }
}

/**
 * How often something became of a company's subjects: an event, and the status after it where it has one.
 *
 * @category models
 * @since 0.1.0
 */
export interface ChangeCount {
  readonly event: BillingEvent["_tag"]
  readonly to?: string | undefined
  readonly count: number
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Journal extends Context.Service<
  Journal,
  {
    /** The place behind a company's newest entry; none when it has no entry. */
    readonly end: (companyId: CompanyId) => Effect.Effect<JournalCursor | undefined, StoreError>
    /**
     * How often each event of a company came about since a place, but for those that its clients asked for. `until` is a place
     * that `end` gave; up to now when absent.
     */
    readonly countUnasked: (
      companyId: CompanyId,
      after: JournalCursor | undefined,
      until?: JournalCursor
    ) => Effect.Effect<ReadonlyArray<ChangeCount>, StoreError>
    /** The company's newest entries, at most `limit`, oldest of them first. */
    readonly latest: (companyId: CompanyId, limit: number) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /**
     * The entries after the cursor, at most `limit`, of one company or of all; from the first one on without a cursor.
     *
     * A reader that goes on with `next` sees every entry once, however many write at once, and those of one command together.
     * The entries of a subject stand in the order in which their commands were done, since each rests on the version of
     * the same root: a subscription or a charge for its transactions and attempts, a customer for its cards, the company for its
     * webhook endpoints. Entries of different roots are in no order of time: one may come late, after everything that was
     * under way when it was written. `next` is the given cursor when there is nothing new.
     */
    readonly follow: (
      cursor: JournalCursor | undefined,
      limit: number,
      companyId?: CompanyId
    ) => Effect.Effect<
      { readonly entries: ReadonlyArray<JournalEntry>; readonly next: JournalCursor | undefined },
      StoreError | UnknownCursor
    >
  }
>()("@parcela/engine/ports/Journal") {}
