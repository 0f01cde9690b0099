/**
 * A company's clock, and advances of it.
 *
 * @since 0.1.0
 */

/**
 * Target of an advance: `{ days: 30 }`, `{ months: 1 }`, `{ to: "2027-03-01" }`, `{ untilNothingIsDue: true }`. Durations add up.
 *
 * @category models
 * @since 0.1.0
 */
export interface Advance {
  readonly years?: number | undefined
  /** The same day and time of a later month in Brazil, or the month's last day if it has no such day. */
  readonly months?: number | undefined
  readonly weeks?: number | undefined
  readonly days?: number | undefined
  readonly hours?: number | undefined
  readonly minutes?: number | undefined
  readonly seconds?: number | undefined
  /** Midnight of a day in Brazil, or a time with a zone: `2027-03-01T10:00:00-03:00`. Excludes durations. */
  readonly to?: string | undefined
  /**
   * Stops after the last job before the target. The default target is a year ahead, because a subscription without end
   * always has a next job.
   */
  readonly untilNothingIsDue?: boolean | undefined
}

/**
 * The number of changes of one kind: by event, and by the status after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Change {
  /** A type of `events()`, such as `TransactionStatusChanged`. */
  readonly event: string
  readonly to?: string
  readonly count: number
}

/**
 * The result of an advance. Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface Advanced {
  readonly from: string
  readonly reached: string
  /** The number of steps of the clock: one for each time at which jobs were due. */
  readonly steps: number
  /** Outcomes of the due jobs, such as `{ kind: "send payment", outcome: "captured", count: 11 }`. */
  readonly work: ReadonlyArray<{ readonly kind: string; readonly outcome: string; readonly count: number }>
  readonly changes: ReadonlyArray<Change>
  /** The cursor for `events({ after })` to list the events of the advance. If absent, these are all events. */
  readonly eventsAfter?: string
  /** Jobs that did not end within their timeout and continue, for example because a provider hangs. */
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
  /** The time of the company's clock. */
  readonly business: string
  /** The day of the company's clock in its time zone, such as `2027-02-24`. */
  readonly today: string
  /** The time of the machine's clock. */
  readonly machine: string
  readonly advancingTo?: string
  /** The next time at which the company has a job. */
  readonly nextDue?: string
}
