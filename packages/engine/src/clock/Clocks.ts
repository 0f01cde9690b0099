/**
 * Use case: look at a company's clock, and advance it to try out in seconds what takes months.
 *
 * **Details**
 *
 * An advance goes from one time at which the company has due work to the next one, up to its target. At each step it does
 * all that is due then, so that payments of ten months see ten different days. The clock is stored at each step: after a
 * crash the same advance goes on from there, and repeats nothing. Meanwhile the due work of the company is its own alone;
 * requests see the time of the current step, and other companies notice nothing.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { BusinessTime, businessTimeOf, ClockOffset } from "@parcela/core/time/BusinessTime"
import { latest } from "@parcela/core/time/EpochMillis"
import { MachineTime } from "@parcela/core/time/MachineTime"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { machineNow } from "../ports/Times.ts"
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

/** How much of what is still under way a report names. */
const longestList = 100

/**
 * A company's clock.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShownClock {
  readonly machine: MachineTime
  readonly business: BusinessTime
  /** The company's clock is so much ahead of the machine's. */
  readonly offset: ClockOffset
  /** The time that an advance goes to. After a crash it stays here until another advance. */
  readonly advancingTo: BusinessTime | undefined
  /** The next time at which the company has work; none when nothing is due any more. */
  readonly nextDue: BusinessTime | undefined
}

/**
 * The last advance of a company, under way or over, and what became of the company from its beginning to its end. It is read
 * from the store, so it is right after a crash, and in every process.
 *
 * @category models
 * @since 0.1.0
 */
export interface ShownAdvance extends LastAdvance {
  /** The time of the company's clock: at the advance's end, when it has ended. */
  readonly reached: BusinessTime
  /** A process leads it, or did when it ended. */
  readonly isUnderWay: boolean
  /** What came about from its beginning to its end, or until now, that no client of the company asked for. */
  readonly changes: ReadonlyArray<ChangeCount>
}

/**
 * How far to advance: to a time, or by a duration from now.
 *
 * **Details**
 *
 * With `stopWhenNothingIsDue` the clock stops at the last due work before that time, and does not go on to it. An advance
 * under the `name` of the company's last named one is that advance again: it goes on to the same time, wherever it is by now,
 * so that a caller who got no response advances once.
 *
 * @category models
 * @since 0.1.0
 */
export type Advance = (
  | { readonly to: BusinessTime; readonly by?: never }
  | { readonly by: Duration.Duration; readonly to?: never }
) & { readonly stopWhenNothingIsDue?: boolean | undefined; readonly name?: string | undefined }

/**
 * What an advance did.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdvanceReport {
  /** Where it began: before the crash, when it was cut off by one. */
  readonly from: BusinessTime
  /** The time of the company's clock at the end. It runs on as the machine's does. */
  readonly reached: BusinessTime
  /** How often the clock was put ahead. */
  readonly steps: number
  /** How due work ended, in this run alone: what a run before a crash did is in `changes`. */
  readonly work: ReadonlyArray<WorkCount>
  /** What came about from its beginning to its end that no client of the company asked for, by the journal. */
  readonly changes: ReadonlyArray<ChangeCount>
  /** What happened is followed in the journal from here on; from its beginning when there is none. */
  readonly eventsAfter: JournalCursor | undefined
  /** What has no end yet after its timeout: it goes on by itself. The first hundred. */
  readonly underWay: ReadonlyArray<WaitingWork>
}

/**
 * Why a clock was not advanced.
 *
 * - `CompanyNotFound`
 * - `Backwards`: the time is past on the company's clock
 * - `TooFar`: beyond the last instant there is
 * - `UnderWay`: another advance of this company has not ended
 * - `Interrupted`: this process was held up so long that another may have taken the advance over, or a worker what is due at
 *   this step; the clock stands at the last step
 *
 * @category errors
 * @since 0.1.0
 */
export class ClockNotAdvanced extends Schema.TaggedError<ClockNotAdvanced>()("ClockNotAdvanced", {
  reason: Schema.Literals(["CompanyNotFound", "Backwards", "TooFar", "UnderWay", "Interrupted"])
}) {
  override get message() {
    return sentences[this.reason]
  }
}

const sentences = {
  CompanyNotFound: "There is no such company",
  Backwards: "A company's clock does not go back: name a time that is not past on it",
  TooFar: "No clock goes beyond the year 9999: name an earlier time",
  UnderWay: "Another advance of this company is under way: wait until it has ended",
  Interrupted: "The advance was interrupted or cancelled and ended at its last step: advance again to go on"
} as const

/**
 * @category services
 * @since 0.1.0
 */
export class ClockManagement extends Context.Service<
  ClockManagement,
  {
    /** None when there is no such company. */
    readonly show: (companyId: CompanyId) => Effect.Effect<Option.Option<ShownClock>, StoreError>
    /** None when there is no such company, or when its clock was never advanced. */
    readonly lastAdvance: (companyId: CompanyId) => Effect.Effect<Option.Option<ShownAdvance>, StoreError>
    /**
     * Advances a company's clock and does what falls due on the way; two at once are refused. When it is interrupted the
     * clock stays at the last step, and the next advance goes on from there.
     */
    readonly advance: (
      companyId: CompanyId,
      how: Advance
    ) => Effect.Effect<AdvanceReport, ClockNotAdvanced | StoreError>
    /**
     * Ends the advance that is under way, in any process, or that a crash cut off: the clock stays where it is, and the advance
     * fails as `Interrupted` before its next step. False when there is none.
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

const show = Effect.fn("ClockManagement.show")(function* ({ clocks, dueWork }: Parts, companyId: CompanyId) {
  const found = yield* clocks.find(companyId)
  if (Option.isNone(found)) return Option.none()
  const machine = yield* machineNow
  const { advancingTo, offset } = found.value
  const business = businessTimeOf(machine, offset)
  const nextDue = Option.getOrUndefined(yield* dueWork.nextDue(companyId, business))
  return Option.some<ShownClock>({ machine, business, offset, advancingTo, nextDue })
})

const lastAdvance = Effect.fn("ClockManagement.lastAdvance")(function* (
  { clocks, journal }: Parts,
  companyId: CompanyId
) {
  const last = yield* clocks.lastAdvance(companyId)
  const found = yield* clocks.find(companyId)
  if (Option.isNone(last) || Option.isNone(found)) return Option.none()
  const { advancingTo, offset } = found.value
  const { ended, target } = last.value
  const changes = yield* changesOf(journal, companyId, last.value)
  const isUnderWay = advancingTo !== undefined
  const shows = businessTimeOf(yield* machineNow, offset)
  // An advance that a crash cut off has no end: the clock shows how far it came, and then goes on with the machine's.
  const reached = ended?.reached ?? (isUnderWay ? shows : BusinessTime.make(Math.min(shows, target)))
  return Option.some<ShownAdvance>({ ...last.value, reached, isUnderWay, changes })
})

/** What came about from the beginning of an advance to its end, or until now. */
const changesOf = (
  journal: Journal["Service"],
  companyId: CompanyId,
  { ended, eventsAfter }: Pick<LastAdvance, "ended" | "eventsAfter">
): Effect.Effect<ReadonlyArray<ChangeCount>, StoreError> =>
  ended !== undefined && ended.eventsUntil === undefined
    ? Effect.succeed([])
    : journal.countUnasked(companyId, eventsAfter, ended?.eventsUntil)

const refused = (reason: ClockNotAdvanced["reason"]) => new ClockNotAdvanced({ reason })

const advance = Effect.fn("ClockManagement.advance")(function* (parts: Parts, companyId: CompanyId, how: Advance) {
  const { clocks, owner } = parts
  const { advancingTo, named, offset } = yield* clockOf(parts, companyId)
  const now = yield* machineNow
  const from = businessTimeOf(now, offset)
  const repeated = how.name !== undefined && named?.name === how.name ? named.target : undefined
  const asked = how.to ?? from + Duration.toMillis(how.by)
  const wanted = repeated ?? asked
  // An advance that a crash ended, or whose response was lost, may have got there.
  if (wanted < from && wanted !== advancingTo && repeated === undefined) return yield* refused("Backwards")
  if (wanted > latest) return yield* refused("TooFar")
  const target = BusinessTime.make(wanted)
  const eventsAfter = yield* parts.journal.end(companyId)
  return yield* Effect.acquireUseRelease(
    clocks.lease(companyId, { from, target, eventsAfter, name: how.name, owner, ...leaseFrom(parts, now) }),
    (lease) =>
      Option.isNone(lease)
        ? refused("UnderWay")
        : Effect.raceFirst(
            stepTo(parts, lease.value, { target, stops: how.stopWhenNothingIsDue === true }),
            keep(parts, lease.value)
          ),
    (lease, exit) => {
      if (Option.isNone(lease)) return Effect.void
      // A lease that was kept as its end could not be read would refuse the next advance for as long as it lasts.
      const ended = Exit.isSuccess(exit)
        ? Effect.succeedSome(exit.value.ended)
        : Effect.option(endOf(parts, lease.value))
      const release = Effect.flatMap(ended, (end) => clocks.release(lease.value, Option.getOrUndefined(end)))
      return Effect.ignore(release, { log: true })
    }
  ).pipe(Effect.map(({ report }) => report))
})

/** How an advance ends that ends now. */
const endOf = Effect.fnUntraced(function* (
  parts: Parts,
  { begun, companyId }: { readonly begun: Pick<LastAdvance, "target">; readonly companyId: CompanyId }
) {
  const { offset } = yield* clockOf(parts, companyId)
  const shows = businessTimeOf(yield* machineNow, offset)
  const eventsUntil = yield* parts.journal.end(companyId)
  return { reached: BusinessTime.make(Math.min(shows, begun.target)), eventsUntil } satisfies EndedAdvance
})

const cancel = Effect.fn("ClockManagement.cancel")(function* (parts: Parts, companyId: CompanyId) {
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

/** Makes the lease last until the advance has ended. */
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
  const underWay = yield* parts.dueWork.listWaiting(companyId, reached, longestList)
  const { eventsAfter, from } = begun
  // One with a name that had ended, and is asked for again, has the end that it had.
  const ended = (steps === begun.steps ? begun.ended : undefined) ?? (yield* endOf(parts, lease))
  const changes = yield* changesOf(parts.journal, companyId, { ended, eventsAfter })
  const report = { from, reached, steps, work: advanceWork.counts(), changes, eventsAfter, underWay }
  return { report: report satisfies AdvanceReport, ended }
})
