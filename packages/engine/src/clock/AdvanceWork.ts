/**
 * Runs all due work of one company whose clock is being advanced, and waits for what is under way.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { machineNow } from "../ports/Times.ts"
import { DueWork, type WaitingWork, type WorkKind, type WorkName } from "../ports/DueWork.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { DueWorker, type EndedWork } from "../work/DueWorker.ts"

/** How often what is under way is checked. */
const lookEvery = Duration.millis(100)

/** How many rows others may hold one after another before what follows is due: a payment, and the attempt that it becomes. */
const heldInTurn = 2

/** How many more rounds what clients made due meanwhile has at a step: while many write there is always some. */
const roundsOfOthers = 6

const nameOf = ({ kind, subject }: WorkName) => `${kind} ${subject}`

/**
 * How often work of a kind ended in a way: the outcome of its attempt (`captured`, `denied`, `registered`, .. or
 * `unknown`), `not sent` for a payment that needs no request any more, `done`, `due later`, `failed` or `parked`.
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
 * The due work of one advance.
 *
 * @category models
 * @since 0.1.0
 */
export interface AdvanceWork {
  /**
   * Runs what is due until all is done that was there at the beginning, and what follows from that by itself. Work that
   * another process has leased, or that waits for its next try, may take as long as an attempt; after that it is not
   * waited for. What clients bring meanwhile is done beside the rest, and in a few more rounds after it.
   */
  readonly at: <E>(companyId: CompanyId, time: Effect.Effect<BusinessTime, E>) => Effect.Effect<void, E | StoreError>
  /** How often work ended with each outcome. */
  readonly counts: () => ReadonlyArray<WorkCount>
}

/**
 * Makes one for each advance.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAdvanceWork: Effect.Effect<Effect.Effect<AdvanceWork>, never, DueWork | DueWorker> = Effect.gen(
  function* () {
    const dueWork = yield* DueWork
    const worker = yield* DueWorker
    const patience = Duration.toMillis((yield* Settings).attemptTimeout)

    return Effect.sync(() => {
      const counts = new Map<string, WorkCount>()
      const waitsUntil = new Map<string, number>()
      return {
        at: (companyId, time) => {
          const look = Effect.flatMap(time, (now) => dueWork.listWaiting(companyId, now))
          return workOffAll({ companyId, counts, look, patience, waitsUntil, worker })
        },
        counts: () => [...counts.values()]
      }
    })
  }
)

interface Step<E> {
  readonly companyId: CompanyId
  readonly worker: DueWorker["Service"]
  /** What the company has that is due, leased or waiting. */
  readonly look: Effect.Effect<ReadonlyArray<WaitingWork>, E | StoreError>
  readonly counts: Map<string, WorkCount>
  /** How long a row is waited for, in milliseconds. */
  readonly patience: number
  /** Until when a row is waited for. */
  readonly waitsUntil: Map<string, number>
}

const workOffAll = Effect.fnUntraced(function* <E>(step: Step<E>) {
  let left = yield* step.look
  for (let turn = 0; turn < heldInTurn; turn++) {
    const now = yield* machineNow
    const held = left.filter((row) => !isDue(row, now))
    left = yield* workOff(step, left, held)
  }
  left = yield* workOff(step, left, left)
  // After the next step it would have that one's day.
  for (let rounds = 0; rounds < roundsOfOthers; rounds++) {
    const now = yield* machineNow
    const due = left.filter((row) => isDue(row, now))
    if (due.length === 0) return
    const ended = yield* round(step, due)
    ended.forEach((work) => note(step.counts, work))
    left = yield* step.look
  }
})

/** Works on what is due until these rows are gone, and what follows from them; returns what is left then. */
const workOff = Effect.fnUntraced(function* <E>(
  step: Step<E>,
  looked: ReadonlyArray<WaitingWork>,
  rows: ReadonlyArray<WaitingWork>
) {
  const own = new Set(rows.map(nameOf))
  let left = looked
  for (let isStuck = false; ; left = yield* step.look) {
    const now = yield* machineNow
    const isWaitedFor = (row: WaitingWork) => (isDue(row, now) && !isStuck) || mayWait(step, row, now)
    if (!left.some((row) => own.has(nameOf(row)) && isWaitedFor(row))) return left
    const due = left.filter((row) => isDue(row, now))
    // A payment makes the next instalment that is due with it, so what was to make that waits until all payments are gone,
    // save those that clients make due meanwhile, of which there is always one, and those that no worker gets.
    const isPaymentFirst = !isStuck && due.some((row) => row.kind === "send payment" && own.has(nameOf(row)))
    const rowsNow = isPaymentFirst ? due.filter(({ kind }) => kind !== "make instalments") : due
    const ended: ReadonlyArray<EndedWork> = yield* round(step, rowsNow)
    // Rows of clients may end in each round, as long as they bring some.
    isStuck = !ended.some((work) => own.has(nameOf(work)))
    ended.forEach((work) => note(step.counts, work))
    follow(step, own, ended)
    if (isStuck) yield* Effect.sleep(lookEvery)
  }
})

/** Works on as many rows of each kind as are due. */
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

const mayWait = <E>({ patience, waitsUntil }: Step<E>, row: WaitingWork, now: MachineTime) => {
  const name = nameOf(row)
  const until = waitsUntil.get(name) ?? now + patience
  waitsUntil.set(name, until)
  return now < until
}

const isDue = ({ waitsUntil }: WaitingWork, now: MachineTime) => waitsUntil === undefined || waitsUntil <= now

/** Takes from `own` what is over, and adds what follows from it: a row may be worked on in the round that scheduled it. */
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
    // A row of that name is another one from now on, as what makes a subscription's next instalments.
    waitsUntil.delete(nameOf(work))
  }
  following.forEach((name) => own.add(name))
}
