/**
 * Use case: show a company's clock, and advance it to test months in seconds.
 *
 * **Details**
 *
 * A clock advance moves to each time at which the company has due jobs, up to its target, and runs the due jobs at each
 * step. Payments of ten months thus run on ten different days. The clock is stored at each step, so an advance that is
 * repeated after a crash continues from there and repeats nothing. During an advance no other worker starts jobs of the
 * company. Requests use the time of the current step. Other companies are not affected.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, businessTimeOf, ClockOffset, latest, MachineTime } from "@parcela/core/time/Instant"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { machineNow } from "../ports/WriteContext.ts"
import {
  type ClockLease,
  type CompanyClock,
  CompanyClocks,
  type EndedAdvance,
  type LastAdvance,
  type LeasedClock
} from "../ports/CompanyClocks.ts"
import { DueWork, type WaitingWork } from "../ports/DueWork.ts"
import { type ChangeCount, Journal, type JournalCursor } from "../ports/Journal.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import type { DueWorker } from "../work/DueWorker.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { makeAdvanceWork, type WorkCount, type AdvanceWork } from "./AdvanceWork.ts"
import * as Spans from "../Spans.ts"

/** Maximum number of jobs in progress that a report contains. */
const maxWaitingWork = 100

/**
 * A company's clock.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClockView {
  readonly machine: MachineTime
  readonly business: BusinessTime
  /** The difference between the company's clock and the machine clock. */
  readonly offset: ClockOffset
  /** The target of the advance in progress. After a crash it stays set until another advance. */
  readonly advancingTo: BusinessTime | undefined
  /** The next time at which the company has a job, or undefined without jobs. */
  readonly nextDue: BusinessTime | undefined
}

/**
 * The last clock advance of a company, and the changes during the advance. All values come from the store, so they are
 * the same in every process and after a crash.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdvanceView extends LastAdvance {
  /** The time of the company's clock at the end of the advance, or its current time during the advance. */
  readonly reached: BusinessTime
  /** True while the advance has not ended. Stays true after a crash of its process. */
  readonly isRunning: boolean
  /** The changes during the advance that no client of the company requested. */
  readonly changes: ReadonlyArray<ChangeCount>
}

/**
 * The target of a clock advance: a time, or a duration from the current time.
 *
 * **Details**
 *
 * With `stopWhenNothingIsDue` the clock stops at the last due job before the target. An advance with the `name` of the
 * company's last named advance repeats that advance: it continues to the same target. A caller whose response was lost
 * can therefore repeat the request.
 *
 * @category models
 * @since 0.1.0
 */
export type Advance = (
  | { readonly to: BusinessTime; readonly by?: never }
  | { readonly by: Duration.Duration; readonly to?: never }
) & { readonly stopWhenNothingIsDue?: boolean | undefined; readonly name?: string | undefined }

/**
 * The result of a clock advance.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdvanceReport {
  /** The start of the advance. After a crash this is the start of the interrupted run. */
  readonly from: BusinessTime
  /** The time of the company's clock at the end. The clock then continues at the speed of the machine clock. */
  readonly reached: BusinessTime
  /** The number of clock changes. */
  readonly steps: number
  /** The outcomes of jobs in this run only. `changes` also contains the runs before a crash. */
  readonly work: ReadonlyArray<WorkCount>
  /** The changes in the journal during the advance that no client of the company requested. */
  readonly changes: ReadonlyArray<ChangeCount>
  /** The journal position at the start of the advance. Undefined for an empty journal. */
  readonly eventsAfter: JournalCursor | undefined
  /** Jobs that are still in progress after their timeout, at most 100. Workers continue them. */
  readonly waitingWork: ReadonlyArray<WaitingWork>
}

/**
 * The reason that a clock was not advanced.
 *
 * - `CompanyNotFound`
 * - `Backwards`: the target is in the past of the company's clock
 * - `TooFar`: the target is after the year 9999
 * - `AlreadyRunning`: another advance of this company has not ended
 * - `Interrupted`: another process may have taken over the advance or the jobs of this step, because this process was
 *   suspended too long; the clock stays at the last step
 *
 * @category errors
 * @since 0.1.0
 */
export class ClockNotAdvanced extends Schema.TaggedError<ClockNotAdvanced>()("ClockNotAdvanced", {
  reason: Schema.Literals(["CompanyNotFound", "Backwards", "TooFar", "AlreadyRunning", "Interrupted"])
}) {
  override get message() {
    return sentences[this.reason]
  }
}

const sentences = {
  CompanyNotFound: "There is no such company",
  Backwards: "A company's clock does not go back: name a time that is not past on it",
  TooFar: "No clock goes beyond the year 9999: name an earlier time",
  AlreadyRunning: "Another advance of this company is under way: wait until it has ended",
  Interrupted: "The advance was interrupted or cancelled and ended at its last step: advance again to go on"
} as const

/**
 * @category services
 * @since 0.1.0
 */
export class ClockManagement extends Context.Service<
  ClockManagement,
  {
    /** Returns the clock, or none for an unknown company. */
    readonly show: (companyId: CompanyId) => Effect.Effect<Option.Option<ClockView>, StoreError>
    /** Returns the last advance, or none for an unknown company or a clock that was never advanced. */
    readonly lastAdvance: (companyId: CompanyId) => Effect.Effect<Option.Option<AdvanceView>, StoreError>
    /**
     * Advances a company's clock and runs the jobs that become due. A second concurrent advance is refused. An
     * interrupted advance leaves the clock at the last step, and the next advance continues from there.
     */
    readonly advance: (
      companyId: CompanyId,
      how: Advance
    ) => Effect.Effect<AdvanceReport, ClockNotAdvanced | StoreError>
    /**
     * Cancels the advance of any process, also after a crash. The clock stays at its current time, and the advance
     * fails with `Interrupted` before its next step. Returns false without an advance.
     */
    readonly cancel: (companyId: CompanyId) => Effect.Effect<boolean, ClockNotAdvanced | StoreError>
  }
>()("@parcela/engine/clock/ClockManagement") {
  static readonly layer: Layer.Layer<
    ClockManagement,
    never,
    CompanyClocks | DueWork | DueWorker | Journal | LeaseOwner
  > = Layer.effect(
    ClockManagement,
    Effect.gen(function* () {
      const parts: Parts = {
        clocks: yield* CompanyClocks,
        dueWork: yield* DueWork,
        journal: yield* Journal,
        leaseTime: (yield* Settings).lease,
        owner: yield* LeaseOwner,
        advanceWork: yield* makeAdvanceWork
      }
      return ClockManagement.of({
        show: (companyId) => show(parts, companyId),
        lastAdvance: (companyId) => lastAdvance(parts, companyId),
        advance: (companyId, how) => advance(parts, companyId, how),
        cancel: (companyId) => cancel(parts, companyId)
      })
    })
  )
}

interface Parts {
  readonly clocks: CompanyClocks["Service"]
  readonly dueWork: DueWork["Service"]
  readonly journal: Journal["Service"]
  readonly leaseTime: Duration.Duration
  readonly owner: string
  readonly advanceWork: Effect.Effect<AdvanceWork>
}

const show = Spans.fn("ClockManagement.show")(function* ({ clocks, dueWork }: Parts, companyId: CompanyId) {
  const found = yield* clocks.find(companyId)
  if (Option.isNone(found)) return Option.none()
  const machine = yield* machineNow
  const { advancingTo, offset } = found.value
  const business = businessTimeOf(machine, offset)
  const nextDue = Option.getOrUndefined(yield* dueWork.nextDue(companyId, business))
  return Option.some<ClockView>({ machine, business, offset, advancingTo, nextDue })
})

const lastAdvance = Spans.fn("ClockManagement.lastAdvance")(function* (
  { clocks, journal }: Parts,
  companyId: CompanyId
) {
  const last = yield* clocks.lastAdvance(companyId)
  const found = yield* clocks.find(companyId)
  if (Option.isNone(last) || Option.isNone(found)) return Option.none()
  const { advancingTo, offset } = found.value
  const { ended, target } = last.value
  const changes = yield* changesOf(journal, companyId, last.value)
  const isRunning = advancingTo !== undefined
  const shows = businessTimeOf(yield* machineNow, offset)
  // An advance that ended in a crash has no end time. Its clock continued to run from the last step.
  const reached = ended?.reached ?? (isRunning ? shows : BusinessTime.make(Math.min(shows, target)))
  return Option.some<AdvanceView>({ ...last.value, reached, isRunning, changes })
})

/** Returns the changes from the start of an advance to its end, or until the current time. */
const changesOf = (
  journal: Journal["Service"],
  companyId: CompanyId,
  { ended, eventsAfter }: Pick<LastAdvance, "ended" | "eventsAfter">
): Effect.Effect<ReadonlyArray<ChangeCount>, StoreError> =>
  ended !== undefined && ended.eventsUntil === undefined
    ? Effect.succeed([])
    : journal.countUnrequested(companyId, eventsAfter, ended?.eventsUntil)

const refused = (reason: ClockNotAdvanced["reason"]) => new ClockNotAdvanced({ reason })

const advance = Spans.fn("ClockManagement.advance")(function* (parts: Parts, companyId: CompanyId, how: Advance) {
  const { clocks, owner } = parts
  const { advancingTo, named, offset } = yield* clockOf(parts, companyId)
  const now = yield* machineNow
  const from = businessTimeOf(now, offset)
  const repeated = how.name !== undefined && named?.name === how.name ? named.target : undefined
  const requested = how.to ?? from + Duration.toMillis(how.by)
  const wanted = repeated ?? requested
  // An interrupted advance, or one whose response was lost, may already have reached its target.
  if (wanted < from && wanted !== advancingTo && repeated === undefined) return yield* refused("Backwards")
  if (wanted > latest) return yield* refused("TooFar")
  const target = BusinessTime.make(wanted)
  const eventsAfter = yield* parts.journal.end(companyId)
  return yield* Effect.acquireUseRelease(
    clocks.lease(companyId, { from, target, eventsAfter, name: how.name, owner, ...leaseFrom(parts, now) }),
    (lease) =>
      Option.isNone(lease)
        ? refused("AlreadyRunning")
        : Effect.raceFirst(
            stepTo(parts, lease.value, { target, stops: how.stopWhenNothingIsDue === true }),
            keep(parts, lease.value)
          ),
    (lease, exit) => {
      if (Option.isNone(lease)) return Effect.void
      // Release the lease even if the end cannot be read. Otherwise the next advance would be refused until the lease
      // expires.
      const ended = Exit.isSuccess(exit)
        ? Effect.succeedSome(exit.value.ended)
        : Effect.option(endOf(parts, lease.value))
      const release = Effect.flatMap(ended, (end) => clocks.release(lease.value, Option.getOrUndefined(end)))
      return Effect.ignore(release, { log: true })
    }
  ).pipe(Effect.map(({ report }) => report))
})

/** Returns the end of an advance that ends at the current time. */
const endOf = Effect.fnUntraced(function* (
  parts: Parts,
  { begun, companyId }: { readonly begun: Pick<LastAdvance, "target">; readonly companyId: CompanyId }
) {
  const { offset } = yield* clockOf(parts, companyId)
  const shows = businessTimeOf(yield* machineNow, offset)
  const eventsUntil = yield* parts.journal.end(companyId)
  return { reached: BusinessTime.make(Math.min(shows, begun.target)), eventsUntil } satisfies EndedAdvance
})

const cancel = Spans.fn("ClockManagement.cancel")(function* (parts: Parts, companyId: CompanyId) {
  const last = yield* parts.clocks.lastAdvance(companyId)
  return Option.isSome(last)
    ? yield* parts.clocks.cancel(companyId, yield* endOf(parts, { begun: last.value, companyId }))
    : false
})

const clockOf = ({ clocks }: Parts, companyId: CompanyId): Effect.Effect<CompanyClock, ClockNotAdvanced | StoreError> =>
  Effect.flatMap(
    clocks.find(companyId),
    Option.match({ onNone: () => refused("CompanyNotFound"), onSome: (clock) => Effect.succeed(clock) })
  )

const leaseFrom = ({ leaseTime }: Parts, now: MachineTime) => ({
  now,
  until: MachineTime.make(now + Duration.toMillis(leaseTime))
})

/** Extends the lease until the advance has ended. */
const keep = (parts: Parts, lease: ClockLease) =>
  Effect.forever(
    Effect.gen(function* () {
      yield* Effect.sleep(Duration.divideUnsafe(parts.leaseTime, 3))
      const isHeld = yield* parts.clocks.extend(lease, leaseFrom(parts, yield* machineNow))
      if (!isHeld) return yield* refused("Interrupted")
    })
  )

const stepTo = Effect.fnUntraced(function* (
  parts: Parts,
  lease: LeasedClock,
  { stops, target }: { readonly target: BusinessTime; readonly stops: boolean }
) {
  const { begun, companyId } = lease
  const advanceWork = yield* parts.advanceWork
  const time = Effect.gen(function* () {
    const { offset } = yield* clockOf(parts, companyId)
    return businessTimeOf(yield* machineNow, offset)
  })
  let { steps } = begun
  const moveTo = Effect.fnUntraced(function* (time: BusinessTime) {
    const now = yield* machineNow
    const offset = ClockOffset.make(Math.max(0, time - now))
    if (!(yield* parts.clocks.advance(lease, { now, offset }))) return yield* refused("Interrupted")
    steps += 1
  })

  while (true) {
    yield* advanceWork.at(companyId, time)
    const now = yield* time
    if (now >= target) break
    const next = Option.getOrUndefined(yield* parts.dueWork.nextDue(companyId, now))
    const isLast = next === undefined || next > target
    if (isLast && stops) break
    yield* moveTo(isLast ? target : next)
  }
  const reached = yield* time
  const waitingWork = yield* parts.dueWork.listWaiting(companyId, reached, maxWaitingWork)
  const { eventsAfter, from } = begun
  // A repeated named advance that has already ended keeps its original end.
  const ended = (steps === begun.steps ? begun.ended : undefined) ?? (yield* endOf(parts, lease))
  const changes = yield* changesOf(parts.journal, companyId, { ended, eventsAfter })
  const report = { from, reached, steps, work: advanceWork.counts(), changes, eventsAfter, waitingWork }
  return { report: report satisfies AdvanceReport, ended }
})
