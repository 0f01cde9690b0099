/**
 * The job worker: leases due jobs of one kind, calls their handlers, and records the results.
 *
 * **Details**
 *
 * The worker serves companies in rotation and limits the running jobs of each, so that a company with many, slow or
 * failing jobs does not block the others. A failed job is repeated after a growing delay. A job with a defect or an
 * unreadable row is quarantined. If the lease expires during a job, the store refuses its result.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { MachineTime } from "@parcela/core/time/Instant"
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
import { machineNow, Origin } from "../ports/WriteContext.ts"
import { ScheduledWork } from "../command/ScheduledWork.ts"
import { atOnce, DueWork, type LeasedWork, type LeaseRequest, type WorkKind, type WorkName } from "../ports/DueWork.ts"
import { Leases } from "../ports/Leases.ts"
import { Settings } from "../Settings.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { logCause, supervised } from "../Supervised.ts"
import { LeaseOwner } from "../command/LeaseOwner.ts"
import { maxPerCompany, CompanyRotation } from "./CompanyRotation.ts"
import { recordWorkOutcome } from "./WorkOutcome.ts"
import { WorkHandlers } from "./WorkHandlers.ts"
import * as Spans from "../Spans.ts"

/** Maximum number of jobs of one kind that run at the same time. */
const maxRunning = 32

/** Maximum number of jobs that a clock advance starts per event-loop tick. */
const maxStartsPerTick = 32

/** Poll interval without due jobs. The check for a clock that was set back has the same interval. */
const pollInterval = Duration.seconds(1)

/**
 * A finished job.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedWork extends WorkName {
  /** The outcome of the handler, or `done`, `due later`, `failed` or `quarantined`. */
  readonly outcome: string
  /** The jobs that the handler scheduled. */
  readonly scheduled: ReadonlyArray<WorkName>
}

/**
 * @category services
 * @since 0.1.0
 */
export class DueWorker extends Context.Service<
  DueWorker,
  {
    /** Runs jobs of one kind until interrupted. After a store failure the worker logs and continues. */
    readonly run: (kind: WorkKind) => Effect.Effect<never>
    /**
     * Runs at most `limit` due jobs of a kind, without a limit per company. Returns their number. With `startWithin` no
     * job starts after that time; running jobs are completed.
     */
    readonly runOnce: (
      kind: WorkKind,
      limit: number,
      startWithin?: Duration.Duration
    ) => Effect.Effect<number, StoreError>
    /** Runs due jobs of the company whose clock the caller advances. Returns the finished jobs. */
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

/** A job that this process has leased until a time. */
interface HeldWork extends LeasedWork {
  readonly until: MachineTime
}

/** Leases jobs that are due now, or were due at `dueAt`. */
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
  return leased.map((work): HeldWork => ({ ...work, until }))
})

/**
 * Runs a job and returns its outcome. Returns undefined if its lease expired before the start, so that another process
 * runs it.
 */
const handle = ({ dueWork, handlers }: WorkContext, work: HeldWork): Effect.Effect<string | undefined> => {
  const { kind, subject } = work
  const handled = Effect.suspend(() => handlers[kind](work))
  const recorded = Effect.flatMap(Effect.exit(handled), (exit) =>
    // An interrupted job has no result. Its lease is released here, or when the process stops.
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
    // A job whose result could not be recorded is due again when its lease ends.
    Effect.catchCause((cause) => Effect.as(logCause("The result of a job could not be recorded", cause), "failed"))
  )
}

interface RunOnce {
  readonly only?: CompanyId | undefined
  readonly startWithin?: Duration.Duration | undefined
}

const runOnce = Spans.fn("DueWorker.runOnce")((
  context: WorkContext,
  kind: WorkKind,
  limit: number,
  options: RunOnce
) => {
  const held = new Set<HeldWork>()
  // A client that disconnects during a clock advance would otherwise leave hundreds of jobs leased until their expiry.
  return Effect.onInterrupt(runLeased(context, kind, limit, options, held), () => releaseLeases(context, held))
})

/** Makes unfinished leased jobs due at once. If that fails, their leases expire later. */
const releaseLeases = Effect.fnUntraced(
  function* ({ dueWork }: WorkContext, held: ReadonlySet<HeldWork>) {
    const due = atOnce(yield* machineNow)
    yield* Effect.forEach(held, (work) => dueWork.postpone(work, due), { concurrency: "unbounded", discard: true })
  },
  Effect.catchCause((cause) => logCause("The leases of interrupted jobs could not be released", cause))
)

/** Runs jobs until none is due or the limit is reached. `held` contains the leased jobs that have not finished. */
const runLeased = Effect.fnUntraced(function* (
  context: WorkContext,
  kind: WorkKind,
  limit: number,
  { only, startWithin = Duration.infinity }: RunOnce,
  held: Set<HeldWork>
) {
  const entry = yield* Clock.currentTimeMillis
  const maxActive = only === undefined ? maxPerCompany : context.dueWork.maxAtOnce
  const fibers = yield* FiberSet.make<string | undefined>()
  const freed = yield* Queue.sliding<void>(1)
  const ended: Array<EndedWork> = []
  let active = 0
  let left = limit
  // Leases jobs only for free slots, so that no lease runs while its job waits. Only jobs that were due at the start
  // are leased: a job that fails is not repeated in the same call.
  const fill = Effect.fnUntraced(function* (free: number) {
    if ((yield* Clock.currentTimeMillis) - entry > Duration.toMillis(startWithin)) return []
    const leased = yield* Effect.uninterruptible(
      Effect.tap(lease(context, kind, { limit: free, perCompany: free, except: [], only }, entry), (leased) =>
        Effect.sync(() => leased.forEach((work) => held.add(work)))
      )
    )
    // A clock advance calls again, so jobs behind an unreadable row are not lost.
    const isLast = only === undefined ? leased.length === 0 : leased.length < free
    left = isLast ? 0 : left - leased.length
    return leased
  })
  const start = (work: HeldWork) => {
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
    // Lease only when half of the slots are free: a commit for a single job would cost as much as the job.
    const free = active > maxActive / 2 ? 0 : Math.min(maxActive - active, left)
    const leased = free > 0 ? yield* fill(free) : []
    for (const together of Arr.chunksOf(leased, maxStartsPerTick)) {
      yield* Effect.forEach(together, start, { discard: true })
      yield* Effect.yieldNow
    }
    if (active === 0 && leased.length === 0) return ended
    yield* Queue.take(freed)
  }
}, Effect.scoped)

const run = Spans.fn("DueWorker.run")(function* (context: WorkContext, kind: WorkKind) {
  const fibers = yield* FiberSet.make<string | undefined>()
  const freed = yield* Queue.sliding<void>(1)
  const rotation = new CompanyRotation()
  // The clock may also have been set back before the start.
  let lastSeen = Number.POSITIVE_INFINITY

  const start = (work: HeldWork) => {
    rotation.begin(work.companyId)
    const one = Effect.onExit(handle(context, work), () => {
      rotation.end(work.companyId)
      Queue.offerUnsafe(freed, undefined)
      return Effect.void
    })
    return FiberSet.run(fibers, one)
  }

  const step = Effect.gen(function* () {
    const now = yield* machineNow
    if (now < lastSeen) yield* context.leases.shortenWaits(now)
    lastSeen = now
    const free = maxRunning - rotation.running
    const leased =
      free > 0 ? yield* lease(context, kind, { limit: free, perCompany: maxPerCompany, ...rotation.next() }) : []
    yield* Effect.forEach(leased, start, { discard: true })
    if (leased.length > 0) return
    // All due companies were served: start the next round. Sleep only if a whole round found no due job.
    if (free > 0 && rotation.nextGroup()) return
    yield* Effect.raceFirst(Queue.take(freed), Effect.sleep(pollInterval))
  })

  return yield* supervised(`worker for "${kind}"`, step, (wait) => {
    rotation.nextGroup()
    return Effect.sleep(wait)
  })
}, Effect.scoped)
