/**
 * Works on what is due: leases rows of one kind, hands each to its handler, and writes down how it ended.
 *
 * **Details**
 *
 * Companies take turns, and each has a share of the places, so that the rows of one that are many, held, slow or broken
 * keep no other waiting. A failed row waits on its own, longer each time; a defect, or a row that cannot be read, parks
 * its row. A lease ends with its time, and what a worker says after that is refused.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { EpochMillis } from "@parcela/core/time/EpochMillis"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import { type CompanyClass, DueWork, type LeasedWork, type LeaseRequest, type WorkKind } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { Origin } from "../commands/Origin.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause } from "./StoreOutage.ts"
import { backoff } from "@parcela/webhooks/Backoff"
import { LeaseOwner } from "./LeaseOwner.ts"
import { supervised } from "./Supervised.ts"
import { WorkHandlers, type WorkResult } from "./WorkHandlers.ts"

/** How many rows of a kind are worked on at once, in all and of one company. */
const places = 32
const placesPerCompany = 8

/** How many companies take turns together: each that was served is named to the store at every lease. */
const companiesTogether = 500

/** How long a worker rests when nothing is due; a look at the clock's going back is made as often. */
const rest = Duration.seconds(1)

const firstBackoff = Duration.seconds(5)
const longestBackoff = Duration.minutes(5)

/** A problem is one line that is kept with its row. */
const longestProblem = 500

/**
 * @category services
 * @since 0.1.0
 */
export class DueWorker extends Context.Service<
  DueWorker,
  {
    /** Works on one kind until it is interrupted. A failure of the store is reported, and it goes on. */
    readonly run: (kind: WorkKind) => Effect.Effect<never>
    /**
     * Works on at most `limit` rows of a kind that are due now, all of one company if need be; returns how many. With
     * `startWithin` it begins none after that time, and waits for those that it began.
     */
    readonly runOnce: (
      kind: WorkKind,
      limit: number,
      startWithin?: Duration.Duration
    ) => Effect.Effect<number, StoreError>
  }
>()("@parcela/engine/workers/DueWorker") {
  static readonly layer: Layer.Layer<DueWorker, never, DueWork | LeaseOwner | Leases | WorkHandlers> = Layer.effect(
    DueWorker,
    Effect.gen(function* () {
      const dueWork = yield* DueWork
      const handlers = yield* WorkHandlers
      const leases = yield* Leases
      const owner = yield* LeaseOwner
      const { lease: leaseTime } = yield* Settings

      const lease = Effect.fnUntraced(function* (
        kind: WorkKind,
        share: Pick<LeaseRequest, "among" | "except" | "limit" | "perCompany">,
        dueAt = Number.POSITIVE_INFINITY
      ) {
        const millis = yield* Clock.currentTimeMillis
        const until = EpochMillis.make(millis + Duration.toMillis(leaseTime))
        const now = EpochMillis.make(Math.min(millis, dueAt))
        const leased = yield* dueWork.lease({ kind, owner, now, until, ...share })
        return leased.map((work): Held => ({ ...work, until }))
      })

      const conclude = Effect.fnUntraced(function* (work: LeasedWork, exit: Exit.Exit<WorkResult, StoreError>) {
        const now = EpochMillis.make(yield* Clock.currentTimeMillis)
        const name = `${work.kind} ${work.subject}`
        const ended = endingOf(exit)
        switch (ended._tag) {
          case "Done":
            return yield* dueWork.done(work)
          case "DueAt":
            return yield* dueWork.postpone(work, { now, at: ended.at })
          case "Failed": {
            const wait = yield* backoff(work.tries, firstBackoff, longestBackoff)
            yield* Effect.logWarning(
              `Work failed and is tried again in ${Duration.format(wait)}: ${name}: ${ended.problem}`
            )
            const at = EpochMillis.make(now + Duration.toMillis(wait))
            return yield* dueWork.postpone(work, { now, at, problem: ended.problem })
          }
          case "Broken":
            yield* Effect.logError(
              `Work is parked until DueWork.release (in the sandbox: POST /sandbox/parked-work/release): ${name}`,
              ended.cause
            )
            return yield* dueWork.park(work, { now, problem: ended.problem })
        }
      })

      /** False when the lease had run out before the work began: it is somebody else's, or will be. */
      const handle = Effect.fnUntraced(
        function* (work: Held) {
          if ((yield* Clock.currentTimeMillis) >= work.until) return false
          const { kind, subject } = work
          const exit = yield* handlers[kind](work).pipe(
            Effect.provideService(Origin, {
              actor: { _tag: "Worker", kind },
              cause: { _tag: "DueWork", kind, subject }
            }),
            Effect.exit
          )
          // Work that is interrupted says nothing: its lease is released when the process stops, or runs out.
          if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) return true
          yield* conclude(work, exit)
          return true
        },
        // What could not be written down is due again when the lease ends.
        Effect.catchCause((cause) => Effect.as(logCause("The end of some work could not be written down", cause), true))
      )

      const runOnce = Effect.fn("DueWorker.runOnce")(function* (
        kind: WorkKind,
        limit: number,
        startWithin = Duration.infinity
      ) {
        const entry = yield* Clock.currentTimeMillis
        const turn = yield* Semaphore.make(1)
        let left = limit
        let handled = 0
        // Each place leases the row that it begins with at once: no lease runs while its row waits for a place.
        const next = Effect.gen(function* () {
          if (left <= 0 || (yield* Clock.currentTimeMillis) - entry > Duration.toMillis(startWithin)) return []
          // What was due at the entry: a row that fails meanwhile does not come again.
          const leased = yield* lease(kind, { limit: 1, perCompany: 1, except: [] }, entry)
          // The first place that finds none speaks for the others, which would ask the store in vain.
          left = leased.length === 0 ? 0 : left - 1
          return leased
        })
        const place = Effect.gen(function* () {
          while (true) {
            const [work] = yield* turn.withPermits(1)(next)
            if (work === undefined) return
            if (yield* handle(work)) handled += 1
          }
        })
        yield* Effect.all(
          Array.from({ length: Math.min(placesPerCompany, limit) }, () => place),
          { concurrency: "unbounded", discard: true }
        )
        return handled
      })

      const run = Effect.fn("DueWorker.run")(function* (kind: WorkKind) {
        const fibers = yield* FiberSet.make<void>()
        const freed = yield* Queue.sliding<void>(1)
        const turns = new Turns()
        // The clock may have been set back before the start as well.
        let lastSeen = Number.POSITIVE_INFINITY

        const start = Effect.fnUntraced(function* (work: Held) {
          turns.begin(work.companyId)
          const ended = Effect.suspend(() => {
            turns.end(work.companyId)
            return Queue.offer(freed, undefined)
          })
          yield* FiberSet.run(fibers, Effect.ensuring(Effect.asVoid(handle(work)), ended))
        })

        const step = Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (now < lastSeen) yield* leases.shortenWaits(EpochMillis.make(now))
          lastSeen = now
          const free = places - turns.running
          const leased =
            free > 0 ? yield* lease(kind, { limit: free, perCompany: placesPerCompany, ...turns.next() }) : []
          yield* Effect.forEach(leased, start, { discard: true })
          if (leased.length > 0) return
          // All that are due have had their turn: the next ones, and a rest only when nobody was due in a whole round.
          if (free > 0 && turns.goOn()) return
          yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(rest))
        })

        return yield* supervised(`worker for "${kind}"`, step, (wait) => {
          turns.goOn()
          return Effect.sleep(wait)
        })
      }, Effect.scoped)

      return DueWorker.of({ run, runOnce })
    })
  )
}

/** A row of which this process has the lease until an instant. */
interface Held extends LeasedWork {
  readonly until: EpochMillis
}

/** Companies that take turns together, and those of them that had theirs in this round. */
interface Group {
  readonly among: CompanyClass
  readonly served: Set<CompanyId>
}

const everybody = (): Group => ({ among: { of: 1, at: 0 }, served: new Set() })

/** One half of a group, with those of it that were served. */
const halfOf = ({ among: { of, at }, served }: Group, second: boolean): Group => {
  const among = { of: of * 2, at: second ? at + of : at }
  return { among, served: new Set([...served].filter((company) => company % among.of === among.at)) }
}

/**
 * Whose turn it is: a company that was served, or has all its places taken, waits for the next round. A group in which
 * too many were served is halved, and the halves take turns one after the other, so that a round comes to every company.
 */
class Turns {
  running = 0
  private readonly inWork = new Map<CompanyId | undefined, number>()
  private group = everybody()
  private later: Array<Group> = []
  private hasServed = false

  begin(company: CompanyId | undefined): void {
    this.running += 1
    this.inWork.set(company, (this.inWork.get(company) ?? 0) + 1)
    if (company === undefined) return
    this.hasServed = true
    this.group.served.add(company)
    if (this.group.served.size < companiesTogether) return
    this.later.push(halfOf(this.group, true))
    this.group = halfOf(this.group, false)
  }

  end(company: CompanyId | undefined): void {
    this.running -= 1
    const left = (this.inWork.get(company) ?? 1) - 1
    if (left === 0) this.inWork.delete(company)
    else this.inWork.set(company, left)
  }

  next(): Pick<LeaseRequest, "among" | "except"> {
    const full = [...this.inWork].flatMap(([company, count]) =>
      company !== undefined && count >= placesPerCompany ? [company] : []
    )
    const { among, served } = this.group
    return { among: among.of === 1 ? undefined : among, except: [...new Set([...served, ...full])] }
  }

  /** Goes on to the next group or round; false when the round had served nobody, so that another would not either. */
  goOn(): boolean {
    const next = this.later.pop()
    this.group = next ?? everybody()
    if (next !== undefined) return true
    const hadServed = this.hasServed
    this.hasServed = false
    return hadServed
  }
}

type Ending =
  | WorkResult
  | { readonly _tag: "Broken"; readonly problem: string; readonly cause: Cause.Cause<StoreError> }

const endingOf = (exit: Exit.Exit<WorkResult, StoreError>): Ending => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.findErrorOption(exit.cause)
  const isDefect = Cause.hasDies(exit.cause)
  const problem = problemOf(Option.getOrElse(error, () => Cause.squash(exit.cause)))
  return isDefect || Option.exists(error, ({ reason }) => reason._tag === "Corrupt")
    ? { _tag: "Broken", problem, cause: exit.cause }
    : { _tag: "Failed", problem }
}

const problemOf = (error: unknown): string =>
  (error instanceof Error ? error.message : "A defect").slice(0, longestProblem)
