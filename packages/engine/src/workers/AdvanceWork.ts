/**
 * Runs all due work of one company whose clock is being advanced, and waits for what is under way.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { BusinessTime } from "@parcela/core/time/BusinessTime"
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
   * as long as an attempt; after that it is not waited for. Nor is what a client's request begins meanwhile.
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

      const round = Effect.fnUntraced(function* (companyId: CompanyId) {
        let hasWorked = false
        const runKind = Effect.fnUntraced(function* (kind: WorkKind) {
          const outcomes = yield* worker.runOnceFor(companyId, kind, batch)
          outcomes.forEach((outcome) => note(kind, outcome))
          hasWorked ||= outcomes.length > 0
        })
        const kinds = inTurn(yield* dueWork.dueKinds(companyId, yield* machineNow))
        yield* Effect.forEach(kinds, runKind, { concurrency: "unbounded", discard: true })
        return hasWorked
      })

      const isWaiting = Effect.fnUntraced(function* (companyId: CompanyId, time: BusinessTime, isFirstLook: boolean) {
        const now = yield* machineNow
        const rows = yield* dueWork.listWaiting(companyId, time, batch)
        return rows.some(({ isOfRequest, kind, subject }) => {
          const name = `${kind} ${subject}`
          // While clients write there is always such a row, so of these only those of the first look are waited for.
          if (isOfRequest && !isFirstLook && !waitedFor.has(name)) return false
          const until = waitedFor.get(name) ?? now + patience
          waitedFor.set(name, until)
          return now < until
        })
      })

      return {
        at: Effect.fnUntraced(function* (companyId, time) {
          for (let looks = 0; ; looks++) {
            while (yield* round(companyId));
            if (!(yield* isWaiting(companyId, yield* time, looks === 0))) return
            yield* Effect.sleep(lookEvery)
          }
        }),
        counts: () => [...counts.values()]
      }
    })
  }
)
