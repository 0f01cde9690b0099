/**
 * Runs all due work of one company whose clock is being advanced, and waits for what is under way.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { machineNow } from "../commands/Times.ts"
import { DueWork, type WorkKind } from "../ports/DueWork.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { Settings } from "../Settings.ts"
import { DueWorker } from "./DueWorker.ts"

/** How many rows of a kind are handled before the next ones of the company are read. */
const batch = 1_000

/** A payment makes the next instalment that is due with it, so what was to make that waits until all payments are gone. */
const inTurn = (kinds: ReadonlyArray<WorkKind>): ReadonlyArray<WorkKind> =>
  kinds.includes("send payment") ? kinds.filter((kind) => kind !== "make instalments") : kinds

/** How often what is under way is checked. */
const lookEvery = Duration.millis(100)

/**
 * A step that had so many rounds, each of which did all that was due when it began, and that took so long, is over: clients
 * that subscribe without a pause make something due in each. Of a step's own work at most some five kinds follow from one
 * another, and of a subscription whose payments are long overdue one follows from another, a few milliseconds each.
 */
const mostRounds = 6
const leastTime = Duration.toMillis(Duration.seconds(2))

interface Step {
  readonly began: MachineTime
  rounds: number
}

const isOver = ({ began, rounds }: Step, now: MachineTime): boolean => rounds >= mostRounds && now - began >= leastTime

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
   * Runs what is due until nothing is. Work that another process has leased, or that waits for its next try, may take
   * as long as an attempt; after that it is not waited for. Nor is what a client's request begins meanwhile. What clients make due
   * again and again is left to the next step.
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
      /** Until when a row is waited for. */
      const waitedFor = new Map<string, number>()

      const note = (kind: WorkKind, outcome: string) => {
        const name = `${kind} ${outcome}`
        counts.set(name, { kind, outcome, count: (counts.get(name)?.count ?? 0) + 1 })
      }

      const workOff = workingOff(dueWork, worker, note)

      const isWaiting = Effect.fnUntraced(function* (
        companyId: CompanyId,
        time: BusinessTime,
        step: Step,
        isFirstLook: boolean
      ) {
        const now = yield* machineNow
        const rows = yield* dueWork.listWaiting(companyId, time, batch)
        return rows.some(({ isOfRequest, kind, subject }) => {
          const name = `${kind} ${subject}`
          // While clients write there is always such a row, so of these only those of the first look are waited for.
          if ((isOfRequest || isOver(step, now)) && !isFirstLook && !waitedFor.has(name)) return false
          const until = waitedFor.get(name) ?? now + patience
          waitedFor.set(name, until)
          return now < until
        })
      })

      return {
        at: Effect.fnUntraced(function* (companyId, time) {
          const step = { began: yield* machineNow, rounds: 0 }
          for (let looks = 0; ; looks++) {
            yield* workOff(companyId, step)
            if (!(yield* isWaiting(companyId, yield* time, step, looks === 0))) return
            yield* Effect.sleep(lookEvery)
          }
        }),
        counts: () => [...counts.values()]
      }
    })
  }
)

/** Does what is due until nothing is, or until the step is over: then all kinds have one more turn. */
const workingOff = (
  dueWork: DueWork["Service"],
  worker: DueWorker["Service"],
  note: (kind: WorkKind, outcome: string) => void
) => {
  const round = Effect.fnUntraced(function* (companyId: CompanyId, isLast: boolean) {
    const kinds = yield* dueWork.dueKinds(companyId, yield* machineNow)
    const numbers = yield* Effect.forEach(
      // While clients make payments due there would never be a turn for the other kind.
      isLast ? kinds : inTurn(kinds),
      (kind) =>
        Effect.map(worker.runOnceFor(companyId, kind, batch), (outcomes) => {
          outcomes.forEach((outcome) => note(kind, outcome))
          return outcomes.length
        }),
      { concurrency: "unbounded" }
    )
    return Math.max(0, ...numbers)
  })

  return Effect.fnUntraced(function* (companyId: CompanyId, step: Step) {
    while (true) {
      const isLast = isOver(step, yield* machineNow)
      const most = yield* round(companyId, isLast)
      if (isLast || most === 0) return
      // Of what filled its batch there may be more.
      if (most < batch) step.rounds += 1
    }
  })
}
