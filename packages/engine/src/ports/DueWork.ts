/**
 * Port: what is to be done at a time, written in the commit of the state that it belongs to.
 *
 * @since 0.1.0
 */
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * Work of a company. An advance of its clock works all of it off at each step.
 *
 * - `send payment`: a transaction that is due; the subject is its identifier
 * - `make instalments`: a subscription whose next instalments are to be made, or which is to be closed after its last one;
 *   the subject is its identifier
 * - `resolve attempt`: an attempt without an outcome; the subject is its identifier
 * - `apply payment`: a payment or a dispute that a provider reported and that waits; the subject is its number, see `IncomingPayments`
 * - `fetch payments`: providers that are to be asked for payments that came in; the subject is the company's number, or begins with it for a payment that is being made
 * - `fetch chargeback`: a card operator that is to be asked whether a charge is disputed; the subject is its `tid`
 * - `expire payment`: a boleto or a Pix whose time to be paid is over; the subject is its identifier
 * - `follow subscription`: a subscription whose status pauses its payments or resumes them; see `FollowSubscription`
 * - `cancel payment`: an open payment of a subscription that was cancelled; the subject is its identifier
 * - `change payment`: a boleto or a Pix that is registered, and whose subscription costs something else now; the subject is its identifier
 * - `apply terms`: a subscription whose terms were edited, with more open payments than one unit changes
 * - `give up deliveries`: a webhook endpoint that was edited; see `UnwantedDeliveries`
 * - `replay deliveries`: a replay that is under way; the subject is its number
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
  "give up deliveries",
  "replay deliveries"
] as const

/**
 * Work of companies, and of the service:
 *
 * - `delete expired tokens`: housekeeping; there is one of it
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
 * What names a row: it is there once.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkName {
  readonly kind: WorkKind
  readonly subject: string
}

/**
 * When a row is due, on the clock that it follows.
 *
 * - `business`: a date of its company, such as a payday. It comes when the company's clock shows it, however that got
 *   there.
 * - `machine`: a wait that began at `waitsSince`. When the machine's clock turns out to stand before that, it was set back,
 *   and the wait counts from then.
 *
 * A lease, and the wait after a failed try, are machine time whatever the row followed before: what was due stays due, since
 * business time never goes back.
 *
 * @category models
 * @since 0.1.0
 */
export type DueTime =
  | { readonly clock: "business"; readonly dueAt: BusinessTime }
  | { readonly clock: "machine"; readonly dueAt: MachineTime; readonly waitsSince: MachineTime }

/**
 * A row.
 *
 * @category models
 * @since 0.1.0
 */
export type NewWork = WorkName &
  (
    | (Extract<DueTime, { readonly clock: "business" }> & { readonly companyId: CompanyId })
    | (Extract<DueTime, { readonly clock: "machine" }> & {
        /** Absent for what belongs to the service. */
        readonly companyId?: CompanyId | undefined
        /** The process that works on it already: its lease ends at `dueAt`. */
        readonly leasedBy?: string | undefined
      })
  )

/**
 * Due now, whatever a company's clock shows.
 *
 * @category constructors
 * @since 0.1.0
 */
export const atOnce = (now: MachineTime) => ({ clock: "machine", dueAt: now, waitsSince: now }) as const

/**
 * A lease of one row. No two leases have the same `token`, so the result of a worker that lost its lease is refused.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkLease extends WorkName {
  readonly token: string
}

/**
 * A row that is leased.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeasedWork extends WorkLease {
  readonly companyId: CompanyId | undefined
  /** How many tries failed before this one. */
  readonly tries: number
}

/**
 * What a worker asks for.
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
  /** At most so many of one company. */
  readonly perCompany: number
  /** One company alone, whose clock the caller advances; no other caller gets its work meanwhile. */
  readonly only?: CompanyId | undefined
  /** Companies whose turn it is not. */
  readonly except: ReadonlyArray<CompanyId>
  /** Whose turn it can be; every company's when it is absent. */
  readonly among?: CompanyClass | undefined
}

/**
 * The companies whose identifier leaves the remainder `at` when it is divided by `of`.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyClass {
  readonly of: number
  readonly at: number
}

/**
 * One row that is asked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface TakeRequest extends Pick<LeaseRequest, "kind" | "owner" | "now" | "until"> {
  readonly subject: string
}

/**
 * A row that no worker takes until the operator releases it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParkedWork {
  readonly kind: WorkKind
  readonly companyId: CompanyId | undefined
  readonly subject: string
  readonly parkedAt: MachineTime
  readonly tries: number
  readonly problem: string
}

/**
 * A row of a company that is due, is being worked on, or waits for its next try.
 *
 * @category models
 * @since 0.1.0
 */
export interface WaitingWork {
  readonly kind: WorkKind
  readonly subject: string
  /** How many tries failed. */
  readonly tries: number
  /** Of the last try, if that failed. */
  readonly problem: string | undefined
  /** When its lease or its wait ends; absent for what is due by its company's clock. */
  readonly waitsUntil: MachineTime | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class DueWork extends Context.Service<
  DueWork,
  {
    /** How many rows of one company are worth being worked on at once, while others wait for the store as well. */
    readonly mostAtOnce: number
    /** Writes rows, each in place of an earlier one of its name: leases, waits and parking of that are over. */
    readonly schedule: (work: ReadonlyArray<NewWork>) => Effect.Effect<void, StoreError>
    /** Writes a row unless there is one of its name. */
    readonly ensure: (work: NewWork) => Effect.Effect<void, StoreError>
    /** Removes rows; those that are not there are no fault. */
    readonly cancel: (kind: WorkKind, subjects: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
    /**
     * Leases rows that are due, neither leased nor parked, longest due first: by the machine's clock, or by that of
     * their company. Two callers never get the same one; one whose lease ran out is due again. A row that cannot be
     * read is parked.
     */
    readonly lease: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<LeasedWork>, StoreError>
    /**
     * Leases one row by its name, due or not; none when it is not there, is parked, or is leased. A row that this
     * process scheduled as leased, and none has leased since, is free to it.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<Option.Option<LeasedWork>, StoreError>
    /** Extends a lease of this owner to `until`; a row that is free, or leased by another owner, stays as it is. */
    readonly renew: (request: TakeRequest) => Effect.Effect<void, StoreError>
    /** Removes what is done; false when the lease was lost. */
    readonly done: (lease: WorkLease) => Effect.Effect<boolean, StoreError>
    /**
     * Gives the lease back: due again then. With a `problem` it counts as a failed try, which waits on the machine's
     * clock. False when the lease was lost.
     */
    readonly postpone: (
      lease: WorkLease,
      next: DueTime & { readonly problem?: string | undefined }
    ) => Effect.Effect<boolean, StoreError>
    /** Takes a row out until it is released; false when the lease was lost. */
    readonly park: (
      lease: WorkLease,
      parked: { readonly now: MachineTime; readonly problem: string }
    ) => Effect.Effect<boolean, StoreError>
    /** Parked rows, first parked first. */
    readonly listParked: (limit: number) => Effect.Effect<ReadonlyArray<ParkedWork>, StoreError>
    /** Makes a parked row due; false when none of that name is parked. */
    readonly release: (kind: WorkKind, subject: string, now: MachineTime) => Effect.Effect<boolean, StoreError>
    /**
     * What a company has that is due at that time of its clock, is leased, or waits for its next try; longest due first.
     * All of it without a limit.
     */
    readonly listWaiting: (
      companyId: CompanyId,
      now: BusinessTime,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<WaitingWork>, StoreError>
    /** The next time of its clock at which a company has work, after that one. */
    readonly nextDue: (
      companyId: CompanyId,
      after: BusinessTime
    ) => Effect.Effect<Option.Option<BusinessTime>, StoreError>
  }
>()("@parcela/engine/ports/DueWork") {}
