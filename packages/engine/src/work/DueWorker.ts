/**
 * Runs due work: leases rows of one kind, hands each to its handler, and records how it ended.
 *
 * **Details**
 *
 * Companies take turns, and each has a share of the places, so that the rows of one that are many, paused, slow or broken
 * keep no other waiting. A failed row waits on its own, longer each time; a defect, or a row that cannot be read, parks
 * its row. A lease ends with its time, and a worker's result after that is refused.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/MachineTime"
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { machineNow } from "../ports/Times.ts"
import { Origin } from "../ports/Origin.ts"
import { ScheduledWork } from "../command/ScheduledWork.ts"
import { atOnce, DueWork, type LeasedWork, type LeaseRequest, type WorkKind, type WorkName } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause, supervised } from "../Supervised.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { placesPerCompany, CompanyTurns } from "./CompanyQueue.ts"
import { recordWorkOutcome } from "./WorkOutcome.ts"
import { WorkHandlers } from "./WorkHandlers.ts"

/** How many rows of a kind are worked on at once. */
const places = 32

/** How many rows of an advance begin within one turn of the event loop. */
const mostBegun = 32

/** How long a worker rests when nothing is due; a look at the clock's going back is made as often. */
const rest = Duration.seconds(1)

/**
 * A row that was worked on.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedWork extends WorkName {
  /** Its handler's outcome, or `done`, `due later`, `failed` or `parked`. */
  readonly outcome: string
  /** What its handler scheduled. */
  readonly scheduled: ReadonlyArray<WorkName>
}

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
    /** The same for the company whose clock the caller advances; returns how each row ended. */
    readonly runOnceFor: (
      companyId: CompanyId,
      kind: WorkKind,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EndedWork>, StoreError>
  }
>()("@parcela/engine/work/DueWorker") {
  static readonly layer: Layer.Layer<DueWorker, never, DueWork | LeaseOwner | Leases | WorkHandlers> = Layer.effect(
    DueWorker,
    Effect.gen(function* () {
      const { attemptLease, lease: leaseTime } = yield* Settings
      const context: WorkContext = {
        dueWork: yield* DueWork,
        handlers: yield* WorkHandlers,
        leases: yield* Leases,
        owner: yield* LeaseOwner,
        leaseTime: (kind) => (kind === "resolve attempt" ? attemptLease : leaseTime)
      }
      return DueWorker.of({
        run: (kind) => run(context, kind),
        runOnce: (kind, limit, startWithin) => Effect.map(runOnce(context, kind, limit, { startWithin }), countOf),
        runOnceFor: (only, kind, limit) => runOnce(context, kind, limit, { only })
      })
    })
  )
}

const countOf = ({ length }: ReadonlyArray<EndedWork>) => length

interface WorkContext {
  readonly dueWork: DueWork["Service"]
  readonly handlers: WorkHandlers["Service"]
  readonly leases: Leases["Service"]
  readonly owner: string
  readonly leaseTime: (kind: WorkKind) => Duration.Duration
}

/** A row of which this process has the lease until an instant. */
interface Held extends LeasedWork {
  readonly until: MachineTime
}

/** Leases what is due now, or was at `dueAt`. */
const lease = Effect.fnUntraced(function* (
  { dueWork, leaseTime, owner }: WorkContext,
  kind: WorkKind,
  share: Pick<LeaseRequest, "among" | "except" | "limit" | "only" | "perCompany">,
  dueAt = Number.POSITIVE_INFINITY
) {
  const millis = yield* machineNow
  const until = MachineTime.make(millis + Duration.toMillis(leaseTime(kind)))
  const now = MachineTime.make(Math.min(millis, dueAt))
  const leased = yield* dueWork.lease({ kind, owner, now, until, ...share })
  return leased.map((work): Held => ({ ...work, until }))
})

/** How work ended; undefined when its lease had run out before it began: it is another process's, or will be. */
const handle = ({ dueWork, handlers }: WorkContext, work: Held): Effect.Effect<string | undefined> => {
  const { kind, subject } = work
  const handled = Effect.suspend(() => handlers[kind](work))
  const recorded = Effect.flatMap(Effect.exit(handled), (exit) =>
    // Work that is interrupted has no result: its lease is given back, or released when the process stops.
    Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
      ? Effect.succeed("failed")
      : recordWorkOutcome(dueWork, work, exit)
  ).pipe(
    Effect.provideService(Origin, {
      actor: { _tag: "Worker", kind },
      cause: { _tag: "DueWork", kind, subject }
    })
  )
  return machineNow.pipe(
    Effect.flatMap((now) => (now < work.until ? recorded : Effect.undefined)),
    // What could not be recorded is due again when the lease ends.
    Effect.catchCause((cause) => Effect.as(logCause("The end of some work could not be written down", cause), "failed"))
  )
}

interface RunOnce {
  readonly only?: CompanyId | undefined
  readonly startWithin?: Duration.Duration | undefined
}

const runOnce = Effect.fn("DueWorker.runOnce")((
  context: WorkContext,
  kind: WorkKind,
  limit: number,
  options: RunOnce
) => {
  const held = new Set<Held>()
  // A client that goes away while it advances a clock leaves hundreds of rows that nobody would take before their leases run out.
  return Effect.onInterrupt(workThrough(context, kind, limit, options, held), () => giveBack(context, held))
})

/** What was leased and has not ended is due at once; of what cannot be given back the lease runs out. */
const giveBack = Effect.fnUntraced(
  function* ({ dueWork }: WorkContext, held: ReadonlySet<Held>) {
    const due = atOnce(yield* machineNow)
    yield* Effect.forEach(held, (work) => dueWork.postpone(work, due), { concurrency: "unbounded", discard: true })
  },
  Effect.catchCause((cause) => logCause("Work that was interrupted could not be given back", cause))
)

/** `held` has the rows that are leased and have not ended. */
const workThrough = Effect.fnUntraced(function* (
  context: WorkContext,
  kind: WorkKind,
  limit: number,
  { only, startWithin = Duration.infinity }: RunOnce,
  held: Set<Held>
) {
  const entry = yield* Clock.currentTimeMillis
  const width = only === undefined ? placesPerCompany : context.dueWork.mostAtOnce
  const fibers = yield* FiberSet.make<string | undefined>()
  const freed = yield* Queue.sliding<void>(1)
  const ended: Array<EndedWork> = []
  let active = 0
  let left = limit
  // Rows are leased for places that are free, so that no lease runs while its row waits for one. What was due at the
  // entry: a row that fails meanwhile does not come again.
  const fill = Effect.fnUntraced(function* (free: number) {
    if ((yield* Clock.currentTimeMillis) - entry > Duration.toMillis(startWithin)) return []
    const leased = yield* Effect.uninterruptible(
      Effect.tap(lease(context, kind, { limit: free, perCompany: free, except: [], only }, entry), (leased) =>
        Effect.sync(() => leased.forEach((work) => held.add(work)))
      )
    )
    // An advance comes again for what a row that cannot be read hid.
    const isLast = only === undefined ? leased.length === 0 : leased.length < free
    left = isLast ? 0 : left - leased.length
    return leased
  })
  const start = (work: Held) => {
    active += 1
    const scheduled: Array<WorkName> = []
    const handled = Effect.provideService(handle(context, work), ScheduledWork, scheduled)
    const one = Effect.onExit(handled, (exit) => {
      active -= 1
      if (Exit.isSuccess(exit)) {
        held.delete(work)
        const { subject } = work
        if (exit.value !== undefined) ended.push({ kind, subject, outcome: exit.value, scheduled })
      }
      Queue.offerUnsafe(freed, undefined)
      return Effect.void
    })
    return FiberSet.run(fibers, one)
  }
  while (true) {
    // Half of the places at a time: a commit for the lease of each single row would cost as much as the row.
    const free = active > width / 2 ? 0 : Math.min(width - active, left)
    const leased = free > 0 ? yield* fill(free) : []
    for (const together of Arr.chunksOf(leased, mostBegun)) {
      yield* Effect.forEach(together, start, { discard: true })
      yield* Effect.yieldNow
    }
    if (active === 0 && leased.length === 0) return ended
    yield* Queue.take(freed)
  }
}, Effect.scoped)

const run = Effect.fn("DueWorker.run")(function* (context: WorkContext, kind: WorkKind) {
  const fibers = yield* FiberSet.make<string | undefined>()
  const freed = yield* Queue.sliding<void>(1)
  const turns = new CompanyTurns()
  // The clock may have been set back before the start as well.
  let lastSeen = Number.POSITIVE_INFINITY

  const start = (work: Held) => {
    turns.begin(work.companyId)
    const one = Effect.onExit(handle(context, work), () => {
      turns.end(work.companyId)
      Queue.offerUnsafe(freed, undefined)
      return Effect.void
    })
    return FiberSet.run(fibers, one)
  }

  const step = Effect.gen(function* () {
    const now = yield* machineNow
    if (now < lastSeen) yield* context.leases.shortenWaits(now)
    lastSeen = now
    const free = places - turns.running
    const leased =
      free > 0 ? yield* lease(context, kind, { limit: free, perCompany: placesPerCompany, ...turns.next() }) : []
    yield* Effect.forEach(leased, start, { discard: true })
    if (leased.length > 0) return
    // All that are due have had their turn: the next ones, and a rest only when no company had due work in a whole round.
    if (free > 0 && turns.goOn()) return
    yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(rest))
  })

  return yield* supervised(`worker for "${kind}"`, step, (wait) => {
    turns.goOn()
    return Effect.sleep(wait)
  })
}, Effect.scoped)
