/**
 * The errors of a store.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * A row with this key already exists, written by a concurrent command.
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
 * The store is temporarily unavailable: full, locked or unreachable. Nothing was written.
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
 * The connection or the disk failed during a commit, so it is unknown whether the store committed.
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
 * The store refused a statement permanently: a defect of this program, or a damaged database.
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
 * A row does not match its schema: it is damaged, or was written by other software.
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
 * A row changed between the read and the write, or two commands had a deadlock. Nothing was written. The store repeats
 * commands after this error; only single writes of workers fail with it.
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
 * The company was restored or reset after the data was read. Nothing was written. Earlier writes of the same request
 * were replaced by the snapshot.
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
 * The row was written by a newer version of this software.
 *
 * @category errors
 * @since 0.1.0
 */
export class WrittenByNewer extends Schema.TaggedError<WrittenByNewer>()("WrittenByNewer", {
  table: Schema.String,
  /** The version of the stored state, and the highest version that this software reads. */
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

  /** The cause that a log shows below the message: a full disk and a locked file have the same message. */
  override get cause() {
    return this.reason
  }
}

/**
 * Returns the error for missing rows of an existing company, and for a command that continues one from before a
 * restore. Rows are deleted only together with all rows of their company.
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
 * Converts store failures after a commit to `CommitUnknown`, because something was already written. A restore of the
 * company is not converted.
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
