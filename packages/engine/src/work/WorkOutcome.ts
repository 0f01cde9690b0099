/**
 * How leased work ended, and what is recorded of it.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/MachineTime"
import { randomBackoff } from "@parcela/webhooks/RandomBackoff"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { machineNow } from "../ports/Times.ts"
import type { DueWork, LeasedWork, DueTime } from "../ports/DueWork.ts"
import { isCompanyRestored, type StoreError } from "../ports/StoreError.ts"

const firstBackoff = Duration.seconds(5)
const longestBackoff = Duration.minutes(5)

/** A problem is one line that is kept with its row. */
const longestProblem = 500

type Ending =
  | WorkResult
  | { readonly _tag: "Broken"; readonly problem: string; readonly cause: Cause.Cause<StoreError> }

const endingOf = (exit: Exit.Exit<WorkResult, StoreError>): Ending => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.findErrorOption(exit.cause)
  const isDefect = Cause.hasDies(exit.cause)
  const problem = problemOf(Option.getOrElse(error, () => Cause.squash(exit.cause)))
  return isDefect || Option.exists(error, (error) => error.reason._tag === "Corrupt" || isCompanyRestored(error))
    ? { _tag: "Broken", problem, cause: exit.cause }
    : { _tag: "Failed", problem }
}

const problemOf = (error: unknown): string =>
  (error instanceof Error ? error.message : "A defect").slice(0, longestProblem)

/**
 * Records how work ended, and returns it in a word or two for reports: its handler's outcome, `done`, `due later`, `failed`
 * or `parked`. A result that comes after the lease was lost is refused and changes nothing.
 *
 * @category recording
 * @since 0.1.0
 */
export const recordWorkOutcome = Effect.fnUntraced(function* (
  dueWork: DueWork["Service"],
  work: LeasedWork,
  exit: Exit.Exit<WorkResult, StoreError>
) {
  const ended = endingOf(exit)
  if (ended._tag === "Removed") return ended.outcome
  const now = yield* machineNow
  const name = `${work.kind} ${work.subject}`
  switch (ended._tag) {
    case "Done":
      yield* dueWork.done(work)
      return ended.outcome ?? "done"
    case "DueLater":
      yield* dueWork.postpone(work, ended.due)
      return "due later"
    case "Failed": {
      const wait = yield* randomBackoff(work.tries, firstBackoff, longestBackoff)
      yield* Effect.logWarning(`Work failed and is tried again in ${Duration.format(wait)}: ${name}: ${ended.problem}`)
      const dueAt = MachineTime.make(now + Duration.toMillis(wait))
      yield* dueWork.postpone(work, { clock: "machine", dueAt, waitsSince: now, problem: ended.problem })
      return "failed"
    }
    case "Broken":
      // A restore of its company took the lease with the row: what it put back is due.
      if (!(yield* dueWork.park(work, { now, problem: ended.problem }))) return "failed"
      yield* Effect.logError(
        `Work is parked until DueWork.release (in the sandbox: POST /sandbox/parked-work/release): ${name}`,
        ended.cause
      )
      return "parked"
  }
})

/**
 * How work ended: it is over (`outcome` says how, for reports) and its row is to be removed, or was by the unit that did the
 * work; due again at a time; or failed and to be tried again after a backoff. An error that the store can recover from is
 * a failure too; a defect, or a row that cannot be read, parks the work.
 *
 * @category models
 * @since 0.1.0
 */
export type WorkResult =
  | { readonly _tag: "Done"; readonly outcome?: string }
  | { readonly _tag: "Removed"; readonly outcome: string }
  | { readonly _tag: "DueLater"; readonly due: DueTime }
  | { readonly _tag: "Failed"; readonly problem: string }

/**
 * It is over.
 *
 * @category constants
 * @since 0.1.0
 */
export const done: WorkResult = { _tag: "Done" }
