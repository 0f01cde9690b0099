/**
 * Port: what is to be done at a time, written in the commit of the state that it belongs to.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { EpochMillis } from "@parcela/core/time/EpochMillis"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "./StoreError.ts"

/**
 * - `send payment`: a transaction that is due; the subject is its identifier
 * - `resolve attempt`: an attempt without an outcome; the subject is its identifier
 * - `follow subscription`: a subscription whose status began or ended to hold its payments back; see `HeldPayments`
 * - `give up deliveries`: a webhook endpoint that was edited; see `UnwantedDeliveries`
 * - `replay deliveries`: a replay that is under way; the subject is its number
 * - `delete expired tokens`: housekeeping; there is one of it
 * - `delete old records`: housekeeping; the subject is the kind of record, see `OldRecords`
 *
 * @category models
 * @since 0.1.0
 */
export const workKinds = [
  "send payment",
  "resolve attempt",
  "follow subscription",
  "give up deliveries",
  "replay deliveries",
  "delete expired tokens",
  "delete old records"
] as const

/**
 * @category models
 * @since 0.1.0
 */
export type WorkKind = (typeof workKinds)[number]

/**
 * One row: a kind and a subject name it, and it is there once.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewWork {
  readonly kind: WorkKind
  /** Absent for what belongs to the service. */
  readonly companyId?: CompanyId | undefined
  readonly subject: string
  readonly dueAt: EpochMillis
  /**
   * The instant from which `dueAt` was counted, if it is a wait and not a date: when the clock turns out to stand
   * before it, the clock was set back, and the wait counts from then.
   */
  readonly waitsSince?: EpochMillis | undefined
  /** The process that works on it already: its lease ends at `dueAt`. */
  readonly leasedBy?: string | undefined
}

/**
 * A lease of one row. No two leases have the same `token`, so the result of a worker that lost its lease is refused.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkLease {
  readonly kind: WorkKind
  readonly subject: string
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
  readonly now: EpochMillis
  readonly until: EpochMillis
  readonly limit: number
  /** At most so many of one company. */
  readonly perCompany: number
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
 * A row that no worker takes until somebody releases it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ParkedWork {
  readonly kind: WorkKind
  readonly companyId: CompanyId | undefined
  readonly subject: string
  readonly parkedAt: EpochMillis
  readonly tries: number
  readonly problem: string
}

/**
 * @category ports
 * @since 0.1.0
 */
export class DueWork extends Context.Service<
  DueWork,
  {
    /** Writes rows, each in place of an earlier one of its name: leases, waits and parking of that are over. */
    readonly schedule: (work: ReadonlyArray<NewWork>) => Effect.Effect<void, StoreError>
    /** Writes a row unless there is one of its name. */
    readonly ensure: (work: NewWork) => Effect.Effect<void, StoreError>
    /** Removes rows; those that are not there are no fault. */
    readonly cancel: (kind: WorkKind, subjects: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
    /**
     * Leases rows that are due, neither leased nor parked, longest due first. Two callers never get the same one; one
     * whose lease ran out is due again. A row that cannot be read is parked.
     */
    readonly lease: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<LeasedWork>, StoreError>
    /**
     * Leases one row by its name, due or not; none when it is not there, is parked, or is leased. What its own process
     * scheduled as leased, and nobody leased since, is free to that process.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<Option.Option<LeasedWork>, StoreError>
    /** Removes what is done; false when the lease was lost. */
    readonly done: (lease: WorkLease) => Effect.Effect<boolean, StoreError>
    /**
     * Gives the lease back: due again at `at`. With a `problem` it counts as a failed try. False when the lease was
     * lost.
     */
    readonly postpone: (
      lease: WorkLease,
      next: { readonly now: EpochMillis; readonly at: EpochMillis; readonly problem?: string | undefined }
    ) => Effect.Effect<boolean, StoreError>
    /** Takes a row out until it is released; false when the lease was lost. */
    readonly park: (
      lease: WorkLease,
      parked: { readonly now: EpochMillis; readonly problem: string }
    ) => Effect.Effect<boolean, StoreError>
    /** Parked rows, first parked first. */
    readonly listParked: (limit: number) => Effect.Effect<ReadonlyArray<ParkedWork>, StoreError>
    /** Makes a parked row due; false when none of that name is parked. */
    readonly release: (kind: WorkKind, subject: string, now: EpochMillis) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/ports/DueWork") {}
