/**
 * Port: how far each company's clock is ahead of the machine's, and who puts it further ahead.
 *
 * @since 0.1.0
 */
import type { BusinessTime, ClockOffset } from "@parcela/core/time/BusinessTime"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { JournalCursor } from "./Journal.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The last advance of a company's clock. One that a crash cut off and that is asked for again, or that is asked for again by
 * its name, is the same advance.
 *
 * @category models
 * @since 0.1.0
 */
export interface LastAdvance {
  readonly name: string | undefined
  readonly from: BusinessTime
  readonly target: BusinessTime
  /** How often it put the clock ahead. */
  readonly steps: number
  /** The company's place in the journal when it began; none when the company had no entry. */
  readonly eventsAfter: JournalCursor | undefined
  /** How it ended; none while it goes, and when a crash cut it off. */
  readonly ended: EndedAdvance | undefined
}

/**
 * The end of an advance: what became of the company afterwards is not the advance's.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedAdvance {
  /** The time of the company's clock, which has run on since. */
  readonly reached: BusinessTime
  /** The company's place in the journal; none when the company had no entry. */
  readonly eventsUntil: JournalCursor | undefined
}

/**
 * A company's clock as it stands.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyClock {
  readonly offset: ClockOffset
  /** As `CompanyContext.restores`. */
  readonly restores: number
  /** The time that an advance goes to. After a crash it stays here until another advance goes on. */
  readonly advancingTo: BusinessTime | undefined
  /** The last advance that its caller named, and the time that it goes or went to. */
  readonly named: { readonly name: string; readonly target: BusinessTime } | undefined
}

/**
 * A lease of one company's clock: while it lasts no other caller moves the clock, and due work of the company is leased by
 * `only` alone. No two leases have the same `token`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClockLease {
  readonly companyId: CompanyId
  readonly token: string
}

/**
 * A new lease, and the advance that it is for, as far as that had come before.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeasedClock extends ClockLease {
  readonly begun: LastAdvance
}

/**
 * @category ports
 * @since 0.1.0
 */
export class CompanyClocks extends Context.Service<
  CompanyClocks,
  {
    /** None when there is no such company. */
    readonly find: (companyId: CompanyId) => Effect.Effect<Option.Option<CompanyClock>, StoreError>
    /** The last advance of a company's clock, under way or over; none when it was never advanced. */
    readonly lastAdvance: (companyId: CompanyId) => Effect.Effect<Option.Option<LastAdvance>, StoreError>
    /** Leases a company's clock; none while another caller has it. */
    readonly lease: (
      companyId: CompanyId,
      request: {
        readonly from: BusinessTime
        readonly target: BusinessTime
        readonly eventsAfter?: JournalCursor | undefined
        /** What the caller calls this advance: kept with its target. */
        readonly name?: string | undefined
        /** The name of the process. */
        readonly owner: string
        readonly now: MachineTime
        readonly until: MachineTime
      }
    ) => Effect.Effect<Option.Option<LeasedClock>, StoreError>
    /** Makes a lease last longer; false when it was lost or has run out, as others may have taken due work since then. */
    readonly extend: (
      lease: ClockLease,
      to: { readonly now: MachineTime; readonly until: MachineTime }
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Puts the clock ahead; false when the lease was lost or has run out. A clock that is further ahead already stays: business
     * time never goes back.
     */
    readonly advance: (
      lease: ClockLease,
      to: { readonly now: MachineTime; readonly offset: ClockOffset }
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Gives the lease back, and keeps how its advance ended, unless it had ended and did not put the clock ahead again; nothing
     * when the lease was lost.
     */
    readonly release: (lease: ClockLease, ended?: EndedAdvance) => Effect.Effect<void, StoreError>
    /** Ends the advance of a company, whichever process has its lease, and stores how; false when none is under way. */
    readonly cancel: (companyId: CompanyId, ended: EndedAdvance) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/ports/CompanyClocks") {}
