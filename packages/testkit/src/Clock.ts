/**
 * A company's clock, and how it is put ahead.
 *
 * @since 0.1.0
 */

/**
 * How far to advance: `{ days: 30 }`, `{ months: 1 }`, `{ to: "2027-03-01" }`, `{ untilNothingIsDue: true }`. Lengths add up.
 *
 * @category models
 * @since 0.1.0
 */
export interface Advance {
  readonly years?: number | undefined
  /** The same day and time of a later month in Brazil; the month's last day where it has no such day. */
  readonly months?: number | undefined
  readonly weeks?: number | undefined
  readonly days?: number | undefined
  readonly hours?: number | undefined
  readonly minutes?: number | undefined
  readonly seconds?: number | undefined
  /** A day, from midnight in Brazil, or a time with a zone: `2027-03-01T10:00:00-03:00`. Alone, without a length. */
  readonly to?: string | undefined
  /**
   * Stops at the last work before that time. When nothing else is given it looks a year ahead, as a subscription without
   * end always has work.
   */
  readonly untilNothingIsDue?: boolean | undefined
}

/**
 * What came about, counted by event and by the status after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Change {
  /** As `events()` names it, such as `TransactionStatusChanged`. */
  readonly event: string
  readonly to?: string
  readonly count: number
}

/**
 * What an advance did. Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface Advanced {
  readonly from: string
  readonly reached: string
  /** How often the clock was put ahead: once for each time at which something was due. */
  readonly steps: number
  /** How the work ended that was due, such as `{ kind: "send payment", outcome: "captured", count: 11 }`. */
  readonly work: ReadonlyArray<{ readonly kind: string; readonly outcome: string; readonly count: number }>
  readonly changes: ReadonlyArray<Change>
  /** `events({ after })` lists what happened; all of it when absent. */
  readonly eventsAfter?: string
  /** Work that had not ended within its timeout, and goes on by itself: a provider hangs, for example. */
  readonly waitingWork: ReadonlyArray<{
    readonly kind: string
    readonly subject: string
    readonly failures: number
    readonly problem?: string
  }>
}

/**
 * Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyClock {
  /** What the company's clock shows. */
  readonly business: string
  /** What the sandbox's own clock shows: the machine's. */
  readonly machine: string
  readonly advancingTo?: string
  /** The next time at which the company has work. */
  readonly nextDue?: string
}
