/**
 * What can go wrong between the engine and whatever keeps its rows.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * A row with that key is there already: another command was faster.
 *
 * @category errors
 * @since 0.1.0
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { constraint: Schema.String }) {
  override get message() {
    return `A row with this key exists already (${this.constraint})`
  }
}

/**
 * The store cannot be used for now: it is full, locked, or not reachable. Nothing was changed.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", { cause: Schema.Defect() }) {
  override get message() {
    return "The store could not be used"
  }
}

/**
 * A commit was sent, and whether it happened is not known: the connection or the disk failed under it.
 *
 * @category errors
 * @since 0.1.0
 */
export class CommitUnknown extends Schema.TaggedError<CommitUnknown>()("CommitUnknown", { cause: Schema.Defect() }) {
  override get message() {
    return "Whether the store committed is not known"
  }
}

/**
 * The store refused a statement, and would refuse it again: a fault of ours, or a damaged database.
 *
 * @category errors
 * @since 0.1.0
 */
export class Rejected extends Schema.TaggedError<Rejected>()("Rejected", { cause: Schema.Defect() }) {
  override get message() {
    return "The store refused a statement"
  }
}

/**
 * A row does not hold what its schema says: it was written by other software, or damaged.
 *
 * @category errors
 * @since 0.1.0
 */
export class Corrupt extends Schema.TaggedError<Corrupt>()("Corrupt", {
  table: Schema.String,
  cause: Schema.Defect()
}) {
  override get message() {
    return `A row of ${this.table} cannot be read`
  }
}

/**
 * A row changed between the moment it was read and the moment it was to be written, or two commands waited for one
 * another. Nothing was written. A command is run again then; only single writes of workers fail with it.
 *
 * @category errors
 * @since 0.1.0
 */
export class Changed extends Schema.TaggedError<Changed>()("Changed", {
  table: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return `Another command changed a row of ${this.table} meanwhile; nothing was written`
  }
}

/**
 * The company was restored from a snapshot, or reset, since what is to be written was read. Nothing was written, and of what
 * the same request wrote before nothing is left but what the snapshot has.
 *
 * @category errors
 * @since 0.1.0
 */
export class CompanyRestored extends Schema.TaggedError<CompanyRestored>()("CompanyRestored", {}) {
  override get message() {
    return "The company was restored or reset meanwhile; nothing was written"
  }
}

/**
 * A row was written by a version of this software that knows more than this one.
 *
 * @category errors
 * @since 0.1.0
 */
export class WrittenByNewer extends Schema.TaggedError<WrittenByNewer>()("WrittenByNewer", {
  table: Schema.String,
  /** The version of the state's shape in the row, and the highest that this software reads. */
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return (
      `A row of ${this.table} was written by a newer version of this software ` +
      `(state version ${this.found}, this one reads up to ${this.known}): run that version`
    )
  }
}

/**
 * @category errors
 * @since 0.1.0
 */
export class StoreError extends Schema.TaggedError<StoreError>()("StoreError", {
  reason: Schema.Union([
    Conflict,
    Changed,
    CompanyRestored,
    Unavailable,
    CommitUnknown,
    Rejected,
    Corrupt,
    WrittenByNewer
  ])
}) {
  override get message() {
    return this.reason.message
  }

  /** What a log shows below the message: without it, a full disk and a locked file look the same. */
  override get cause() {
    return this.reason
  }
}

/**
 * What is missing of a company that had it, or what goes on from before its restore: rows are removed with all of their company.
 *
 * @category errors
 * @since 0.1.0
 */
export const companyRestored = (): StoreError => new StoreError({ reason: new CompanyRestored() })

/**
 * @category guards
 * @since 0.1.0
 */
export const isCompanyRestored = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.reason._tag === "CompanyRestored"

/**
 * For what comes after a commit: a failure of the store from then on must not be reported as "nothing was changed", unless a
 * restore of the company has undone it all.
 *
 * @category combinators
 * @since 0.1.0
 */
export const afterCommit = <A, E, R>(
  effect: Effect.Effect<A, E | StoreError, R>
): Effect.Effect<A, E | StoreError, R> =>
  Effect.mapError(effect, (error) =>
    error instanceof StoreError && !isCompanyRestored(error)
      ? new StoreError({ reason: new CommitUnknown({ cause: error }) })
      : error
  )
