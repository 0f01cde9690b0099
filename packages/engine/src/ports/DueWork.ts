/**
 * Port: scheduled jobs, written in the same commit as the state to which they belong.
 *
 * @since 0.1.0
 */
import type { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * Job kinds of a company. A clock advance runs all of them at each step.
 *
 * - `send payment`: send a due transaction; the subject is its identifier
 * - `make instalments`: create the next instalments of a subscription, or close it after the last one; the subject is
 *   its identifier
 * - `resolve attempt`: ask the provider about an attempt without an outcome; the subject is its identifier
 * - `apply payment`: apply a reported payment or dispute that waits; the subject is its number, see
 *   `IncomingPayments`
 * - `fetch payments`: ask providers for received payments; the subject is the company's number, and starts with it
 *   for a payment in progress
 * - `fetch chargeback`: ask the card operator about a dispute of a charge; the subject is its `tid`
 * - `expire payment`: expire an unpaid boleto or Pix; the subject is its identifier
 * - `follow subscription`: pause, resume or cancel the payments of a subscription; see `FollowSubscription`
 * - `cancel payment`: cancel an open payment of a cancelled subscription; the subject is its identifier
 * - `change payment`: withdraw a registered boleto or Pix whose terms changed; the subject is its identifier
 * - `apply terms`: apply edited terms to the next page of a subscription's payments
 * - `abandon deliveries`: abandon unwanted deliveries of an edited endpoint; see `UnwantedDeliveries`
 * - `replay deliveries`: run the next step of a replay; the subject is its number
 *
 * @category models
 * @since 0.1.0
 */
export const companyKinds = [
  "send payment",
  "make instalments",
  "resolve attempt",
  "apply payment",
  "fetch payments",
  "fetch chargeback",
  "expire payment",
  "follow subscription",
  "cancel payment",
  "change payment",
  "apply terms",
  "abandon deliveries",
  "replay deliveries"
] as const

/**
 * All job kinds, including those of the service:
 *
 * - `delete expired tokens`: housekeeping; a single job
 * - `delete old records`: housekeeping; the subject is the kind of record, see `OldRecords`
 *
 * @category models
 * @since 0.1.0
 */
export const workKinds = [...companyKinds, "delete expired tokens", "delete old records"] as const

/**
 * @category models
 * @since 0.1.0
 */
export type WorkKind = (typeof workKinds)[number]

/**
 * The unique name of a job.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkName {
  readonly kind: WorkKind
  readonly subject: string
}

/**
 * The time at which a job is due, on one of two clocks.
 *
 * - `business`: a date of the company, such as a payday. The job is due when the company's clock reaches the date,
 *   also in a clock advance.
 * - `machine`: a delay that started at `waitsSince`. If the machine clock is later set back before that time, the
 *   delay starts again.
 *
 * Leases and delays after failures always use the machine clock. A job that was due stays due, because business time
 * never moves backwards.
 *
 * @category models
 * @since 0.1.0
 */
export type DueTime =
  | { readonly clock: "business"; readonly dueAt: BusinessTime }
  | { readonly clock: "machine"; readonly dueAt: MachineTime; readonly waitsSince: MachineTime }

/**
 * A job.
 *
 * @category models
 * @since 0.1.0
 */
export type NewWork = WorkName &
  (
    | (Extract<DueTime, { readonly clock: "business" }> & { readonly companyId: CompanyId })
    | (Extract<DueTime, { readonly clock: "machine" }> & {
        /** Undefined for jobs of the service. */
        readonly companyId?: CompanyId | undefined
        /** The process that already runs the job. Its lease ends at `dueAt`. */
        readonly leasedBy?: string | undefined
      })
  )

/**
 * Returns a due time that is independent of any company's clock.
 *
 * @category constructors
 * @since 0.1.0
 */
export const atOnce = (now: MachineTime) => ({ clock: "machine", dueAt: now, waitsSince: now }) as const

/**
 * A lease of one job with a unique `token`. The store refuses the result of a worker that lost its lease.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkLease extends WorkName {
  readonly token: string
}

/**
 * A leased job.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeasedWork extends WorkLease {
  readonly companyId: CompanyId | undefined
  /** The number of failed runs. */
  readonly failures: number
}

/**
 * The parameters of a lease query.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeaseRequest {
  readonly kind: WorkKind
  /** The name of the process. */
  readonly owner: string
  readonly now: MachineTime
  readonly until: MachineTime
  readonly limit: number
  /** Maximum number of jobs of one company. */
  readonly perCompany: number
  /** The company whose clock the caller advances. No other caller leases its jobs during the advance. */
  readonly only?: CompanyId | undefined
  /** Companies to skip. */
  readonly except: ReadonlyArray<CompanyId>
  /** The companies to include. Default: all. */
  readonly among?: CompanyClass | undefined
}

/**
 * The companies with an identifier whose remainder modulo `of` is `at`.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyClass {
  readonly of: number
  readonly at: number
}

/**
 * The parameters for leasing one job by name.
 *
 * @category models
 * @since 0.1.0
 */
export interface TakeRequest extends Pick<LeaseRequest, "kind" | "owner" | "now" | "until"> {
  readonly subject: string
}

/**
 * A quarantined job. No worker leases it until the operator releases it.
 *
 * @category models
 * @since 0.1.0
 */
export interface QuarantinedWork {
  readonly kind: WorkKind
  readonly companyId: CompanyId | undefined
  readonly subject: string
  readonly quarantinedAt: MachineTime
  readonly failures: number
  readonly problem: string
}

/**
 * A job of a company that is due, leased, or waiting after a failure.
 *
 * @category models
 * @since 0.1.0
 */
export interface WaitingWork {
  readonly kind: WorkKind
  readonly subject: string
  /** The number of failed runs. */
  readonly failures: number
  /** The problem of the last run, if that failed. */
  readonly problem: string | undefined
  /** The end of the lease or delay. Undefined for a job that is due by the company's clock. */
  readonly waitsUntil: MachineTime | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class DueWork extends Context.Service<
  DueWork,
  {
    /** The number of jobs of one company that this store runs efficiently at the same time. */
    readonly maxAtOnce: number
    /** Writes jobs. Each replaces a job with the same name, including its lease, delay and quarantine. */
    readonly schedule: (work: ReadonlyArray<NewWork>) => Effect.Effect<void, StoreError>
    /** Writes a job unless a job with the same name exists. */
    readonly ensure: (work: NewWork) => Effect.Effect<void, StoreError>
    /** Deletes jobs. Missing jobs are ignored. */
    readonly cancel: (kind: WorkKind, subjects: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
    /**
     * Leases due jobs by the machine clock or their company's clock, longest due first. Leased and quarantined jobs are
     * skipped.
     *
     * No two callers get the same job. A job with an expired lease is due again. A job with an unreadable row is
     * quarantined.
     */
    readonly lease: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<LeasedWork>, StoreError>
    /**
     * Leases one job by name, due or not. Returns none if the job is missing, quarantined or leased. A job that this
     * process scheduled as leased is available to it until another process leases it.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<Option.Option<LeasedWork>, StoreError>
    /** Extends this owner's lease to `until`. An unleased job, or a job of another owner, stays unchanged. */
    readonly renew: (request: TakeRequest) => Effect.Effect<void, StoreError>
    /** Deletes a finished job. Returns false if the lease was lost. */
    readonly done: (lease: WorkLease) => Effect.Effect<boolean, StoreError>
    /**
     * Releases the lease and sets the next due time. A `problem` counts as a failed run and uses the machine clock.
     * Returns false if the lease was lost.
     */
    readonly postpone: (
      lease: WorkLease,
      next: DueTime & { readonly problem?: string | undefined }
    ) => Effect.Effect<boolean, StoreError>
    /** Quarantines a job until it is released. Returns false if the lease was lost. */
    readonly quarantine: (
      lease: WorkLease,
      quarantined: { readonly now: MachineTime; readonly problem: string }
    ) => Effect.Effect<boolean, StoreError>
    /** Returns quarantined jobs, oldest first. */
    readonly listQuarantined: (limit: number) => Effect.Effect<ReadonlyArray<QuarantinedWork>, StoreError>
    /** Makes a quarantined job due. Returns false if no quarantined job has this name. */
    readonly release: (kind: WorkKind, subject: string, now: MachineTime) => Effect.Effect<boolean, StoreError>
    /**
     * Returns a company's jobs that are due at a time of its clock, leased, or waiting after a failure, longest due
     * first. Without `limit` returns all.
     */
    readonly listWaiting: (
      companyId: CompanyId,
      now: BusinessTime,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<WaitingWork>, StoreError>
    /** Returns the next time after `after` at which the company has a job. */
    readonly nextDue: (
      companyId: CompanyId,
      after: BusinessTime
    ) => Effect.Effect<Option.Option<BusinessTime>, StoreError>
  }
>()("@parcela/engine/ports/DueWork") {}
