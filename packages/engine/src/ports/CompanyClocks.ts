/**
 * Port: the offset of each company's clock from the machine clock, and the lease that a clock advance needs.
 *
 * @since 0.1.0
 */
import type { BusinessTime, ClockOffset, MachineTime } from "@parcela/core/time/Instant"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { JournalCursor } from "./Journal.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * The last clock advance of a company. Continuing an advance after a crash, or repeating it by name, does not create
 * another one.
 *
 * @category models
 * @since 0.1.0
 */
export interface LastAdvance {
  readonly name: string | undefined
  readonly from: BusinessTime
  readonly target: BusinessTime
  /** The number of clock changes. */
  readonly steps: number
  /** The position in the company's journal at the start. Undefined without entries. */
  readonly eventsAfter: JournalCursor | undefined
  /** The end of the advance. Undefined while it runs, and after a crash. */
  readonly ended: EndedAdvance | undefined
}

/**
 * The end of a clock advance. Later changes of the company do not belong to the advance.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedAdvance {
  /** The time of the company's clock at the end. */
  readonly reached: BusinessTime
  /** The position in the company's journal at the end. Undefined without entries. */
  readonly eventsUntil: JournalCursor | undefined
}

/**
 * The state of a company's clock.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyClock {
  readonly offset: ClockOffset
  /** The number of restores: see `CompanyContext.restores`. */
  readonly restores: number
  /** The target of the advance in progress. After a crash it stays set until another advance continues. */
  readonly advancingTo: BusinessTime | undefined
  /** The last named advance, with its target. */
  readonly named: { readonly name: string; readonly target: BusinessTime } | undefined
}

/**
 * A lease of one company's clock, with a unique `token`. During the lease no other caller moves the clock, and only a
 * lease request with `only` returns jobs of the company.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClockLease {
  readonly companyId: CompanyId
  readonly token: string
}

/**
 * A new lease, with the advance as an earlier run left it.
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
    /** Returns the clock, or none for an unknown company. */
    readonly find: (companyId: CompanyId) => Effect.Effect<Option.Option<CompanyClock>, StoreError>
    /** Returns the last advance of a company's clock, or none if it was never advanced. */
    readonly lastAdvance: (companyId: CompanyId) => Effect.Effect<Option.Option<LastAdvance>, StoreError>
    /** Leases a company's clock. Returns none while another caller holds the lease. */
    readonly lease: (
      companyId: CompanyId,
      request: {
        readonly from: BusinessTime
        readonly target: BusinessTime
        readonly eventsAfter?: JournalCursor | undefined
        /** The caller's name for this advance, stored with its target. */
        readonly name?: string | undefined
        /** The name of the process. */
        readonly owner: string
        readonly now: MachineTime
        readonly until: MachineTime
      }
    ) => Effect.Effect<Option.Option<LeasedClock>, StoreError>
    /**
     * Extends a lease. Returns false if the lease was lost or has expired, because other workers may have leased jobs
     * since.
     */
    readonly extend: (
      lease: ClockLease,
      to: { readonly now: MachineTime; readonly until: MachineTime }
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Advances the clock. Returns false if the lease was lost or has expired. Business time never moves backwards: a
     * clock that is already later stays unchanged.
     */
    readonly advance: (
      lease: ClockLease,
      to: { readonly now: MachineTime; readonly offset: ClockOffset }
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Releases the lease and stores the end of its advance. An end that is already stored is replaced only if the clock
     * was advanced again. Does nothing if the lease was lost.
     */
    readonly release: (lease: ClockLease, ended?: EndedAdvance) => Effect.Effect<void, StoreError>
    /** Ends the advance of a company in any process and stores its end. Returns false without an advance. */
    readonly cancel: (companyId: CompanyId, ended: EndedAdvance) => Effect.Effect<boolean, StoreError>
  }
>()("@parcela/engine/ports/CompanyClocks") {}
