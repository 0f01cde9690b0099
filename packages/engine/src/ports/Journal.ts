/**
 * Port: the append-only journal of all decisions and changes.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Origin } from "./WriteContext.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The entity of an entry. The id is a number, except for attempts. The default endpoint has the id `default`.
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
 * Fields of a state as JSON. `null` marks an absent field.
 *
 * @category models
 * @since 0.1.0
 */
export type StateFields = Readonly<Record<string, unknown>>

/**
 * The changes of one command to one entity.
 *
 * **Details**
 *
 * `before` and `after` contain the changed fields. For a new entity, `after` is the complete state and `before` is
 * absent. The `after` of all entries, merged in order, is the current state of the entity. Both are absent if no stored
 * state changed.
 *
 * @category models
 * @since 0.1.0
 */
export interface JournalEntry {
  readonly companyId: CompanyId
  readonly subject: JournalSubject
  /** Machine time. */
  readonly at: MachineTime
  /** The company's business time. */
  readonly businessAt: BusinessTime
  readonly origin: Origin
  /** The events of the entity. Empty for an attempt, whose events belong to its transaction. */
  readonly events: ReadonlyArray<BillingEvent>
  readonly before?: StateFields | undefined
  readonly after?: StateFields | undefined
}

/**
 * A position in the journal. Opaque: only the store that returned it can read it.
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
 * The cursor was not returned by this store.
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
 * The number of occurrences of an event, by the resulting status if it has one.
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
    /** Returns the position after a company's newest entry, or undefined without entries. */
    readonly end: (companyId: CompanyId) => Effect.Effect<JournalCursor | undefined, StoreError>
    /**
     * Counts the events of a company after a position, except those that its clients requested. `until` is a position
     * returned by `end`. Default: the current end.
     */
    readonly countUnrequested: (
      companyId: CompanyId,
      after: JournalCursor | undefined,
      until?: JournalCursor
    ) => Effect.Effect<ReadonlyArray<ChangeCount>, StoreError>
    /** Returns the company's newest entries, at most `limit`, oldest first. */
    readonly latest: (companyId: CompanyId, limit: number) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>
    /**
     * Returns at most `limit` entries after the cursor, of one company or of all. Without a cursor it starts at the
     * first entry.
     *
     * A reader that continues with `next` receives every entry exactly once, also during concurrent writes, and the
     * entries of one command together. Entries of one entity are in the order of their commands, because each command
     * increments the version of the same aggregate root. The root is the subscription or charge for transactions and
     * attempts, the customer for cards, and the company for webhook endpoints. Entries of different roots have no time
     * order: an entry may appear after entries that were committed later. Without new entries, `next` equals the
     * cursor.
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
