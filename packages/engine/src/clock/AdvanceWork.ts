/**
 * Runs all due jobs of one company during a clock advance, and waits for jobs that are in progress.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime, MachineTime } from "@parcela/core/time/Instant"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { machineNow } from "../ports/WriteContext.ts"
import { DueWork, type WaitingWork, type WorkKind, type WorkName } from "../ports/DueWork.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { DueWorker, type EndedWork } from "../work/DueWorker.ts"

/** Poll interval for jobs in progress. */
const pollInterval = Duration.millis(100)

/** Maximum number of leases of other workers to wait for in sequence: a payment, then its attempt. */
const maxSuccessiveLeases = 2

/** Maximum number of extra rounds per step for jobs that clients schedule during the step. */
const maxExtraRounds = 6

const nameOf = ({ kind, subject }: WorkName) => `${kind} ${subject}`

/**
 * The number of jobs of a kind with one outcome. Outcomes are the outcome of an attempt (`captured`, `denied`,
 * `registered`, .. or `unknown`), `not sent` for a payment that needs no request, `done`, `due later`, `failed` and
 * `quarantined`.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkCount {
  readonly kind: WorkKind
  readonly outcome: string
  readonly count: number
}

/**
 * The due jobs of one clock advance.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdvanceWork {
  /**
   * Runs the jobs that are due at the start, and the jobs that follow from them. A job that is leased elsewhere or
   * waits for its next run is waited for until the attempt timeout. Jobs that clients schedule during the step run at
   * the same time, and in up to six extra rounds.
   */
  readonly at: <E>(companyId: CompanyId, time: Effect.Effect<BusinessTime, E>) => Effect.Effect<void, E | StoreError>
  /** Returns the number of finished jobs by kind and outcome. */
  readonly counts: () => ReadonlyArray<WorkCount>
}

/**
 * Returns a constructor of {@link AdvanceWork}, to be called for each clock advance.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAdvanceWork: Effect.Effect<Effect.Effect<AdvanceWork>, never, DueWork | DueWorker> = Effect.gen(
  function* () {
    const dueWork = yield* DueWork
    const worker = yield* DueWorker
    const maxWait = Duration.toMillis((yield* Settings).attemptTimeout)

    return Effect.sync(() => {
      const counts = new Map<string, WorkCount>()
      const waitsUntil = new Map<string, number>()
      return {
        at: (companyId, time) => {
          const listWaiting = Effect.flatMap(time, (now) => dueWork.listWaiting(companyId, now))
          return runAll({ companyId, counts, listWaiting, maxWait, waitsUntil, worker })
        },
        counts: () => [...counts.values()]
      }
    })
  }
)

interface Step<E> {
  readonly companyId: CompanyId
  readonly worker: DueWorker["Service"]
  /** Returns the company's jobs that are due, leased or waiting. */
  readonly listWaiting: Effect.Effect<ReadonlyArray<WaitingWork>, E | StoreError>
  readonly counts: Map<string, WorkCount>
  /** Maximum time to wait for a job, in milliseconds. */
  readonly maxWait: number
  /** The end of the wait for each job. */
  readonly waitsUntil: Map<string, number>
}

const runAll = Effect.fnUntraced(function* <E>(step: Step<E>) {
  let remaining = yield* step.listWaiting
  for (let round = 0; round < maxSuccessiveLeases; round++) {
    const now = yield* machineNow
    const held = remaining.filter((row) => !isDue(row, now))
    remaining = yield* runUntilDone(step, remaining, held)
  }
  remaining = yield* runUntilDone(step, remaining, remaining)
  // After the next step these jobs would run on a later day.
  for (let rounds = 0; rounds < maxExtraRounds; rounds++) {
    const now = yield* machineNow
    const due = remaining.filter((row) => isDue(row, now))
    if (due.length === 0) return
    const ended = yield* round(step, due)
    ended.forEach((work) => note(step.counts, work))
    remaining = yield* step.listWaiting
  }
})

/** Runs due jobs until `rows` and the jobs that follow from them are finished. Returns the remaining jobs. */
const runUntilDone = Effect.fnUntraced(function* <E>(
  step: Step<E>,
  listed: ReadonlyArray<WaitingWork>,
  rows: ReadonlyArray<WaitingWork>
) {
  const own = new Set(rows.map(nameOf))
  let remaining = listed
  for (let isStuck = false; ; remaining = yield* step.listWaiting) {
    const now = yield* machineNow
    const isWaitedFor = (row: WaitingWork) => (isDue(row, now) && !isStuck) || mayWait(step, row, now)
    if (!remaining.some((row) => own.has(nameOf(row)) && isWaitedFor(row))) return remaining
    const due = remaining.filter((row) => isDue(row, now))
    // Sending a payment also creates the instalment that is due with it, so instalment jobs run after all payments of
    // this step. Payments that clients schedule during the step, and payments leased elsewhere, do not delay the
    // instalment jobs.
    const isPaymentFirst = !isStuck && due.some((row) => row.kind === "send payment" && own.has(nameOf(row)))
    const rowsNow = isPaymentFirst ? due.filter(({ kind }) => kind !== "make instalments") : due
    const ended: ReadonlyArray<EndedWork> = yield* round(step, rowsNow)
    // Only own jobs count as progress: clients may schedule jobs in every round.
    isStuck = !ended.some((work) => own.has(nameOf(work)))
    ended.forEach((work) => note(step.counts, work))
    follow(step, own, ended)
    if (isStuck) yield* Effect.sleep(pollInterval)
  }
})

/** Runs as many jobs of each kind as are due. */
const round = <E>({ companyId, worker }: Step<E>, due: ReadonlyArray<WaitingWork>) => {
  const numbers = new Map<WorkKind, number>()
  for (const { kind } of due) numbers.set(kind, (numbers.get(kind) ?? 0) + 1)
  const ended = Effect.forEach(numbers, ([kind, count]) => worker.runOnceFor(companyId, kind, count), {
    concurrency: "unbounded"
  })
  return Effect.map(ended, Arr.flatten)
}

const note = (counts: Map<string, WorkCount>, { kind, outcome }: EndedWork) => {
  const name = `${kind} ${outcome}`
  counts.set(name, { kind, outcome, count: (counts.get(name)?.count ?? 0) + 1 })
}

const mayWait = <E>({ maxWait, waitsUntil }: Step<E>, row: WaitingWork, now: MachineTime) => {
  const name = nameOf(row)
  const until = waitsUntil.get(name) ?? now + maxWait
  waitsUntil.set(name, until)
  return now < until
}

const isDue = ({ waitsUntil }: WaitingWork, now: MachineTime) => waitsUntil === undefined || waitsUntil <= now

/**
 * Removes finished jobs from `own` and adds the jobs that follow from them. A job may run in the round that scheduled
 * it.
 */
const follow = <E>({ waitsUntil }: Step<E>, own: Set<string>, ended: ReadonlyArray<EndedWork>) => {
  const following = new Set<string>()
  for (let known = -1; known !== following.size;) {
    known = following.size
    for (const work of ended) {
      const isOwn = own.has(nameOf(work)) || following.has(nameOf(work))
      if (isOwn) work.scheduled.forEach((next) => following.add(nameOf(next)))
    }
  }
  for (const work of ended) {
    const isOver = work.outcome !== "failed" && work.outcome !== "due later"
    if (!isOver) continue
    own.delete(nameOf(work))
    // A later job with this name is a new job, such as the next instalment job of a subscription.
    waitsUntil.delete(nameOf(work))
  }
  following.forEach((name) => own.add(name))
}
