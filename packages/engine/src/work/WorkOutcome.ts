/**
 * The result of a leased job, and its recording in the store.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import { randomBackoff } from "@parcela/core/attempts/Backoff"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { machineNow } from "../ports/WriteContext.ts"
import type { DueWork, LeasedWork, DueTime } from "../ports/DueWork.ts"
import { isCompanyRestored, type StoreError } from "../ports/StoreError.ts"

const firstBackoff = Duration.seconds(5)
const maxBackoff = Duration.minutes(5)

/** Maximum length of the problem text in characters. */
const maxProblemLength = 500

type RecordedResult =
  | WorkResult
  | { readonly _tag: "Broken"; readonly problem: string; readonly cause: Cause.Cause<StoreError> }

const recordedResultOf = (exit: Exit.Exit<WorkResult, StoreError>): RecordedResult => {
  if (Exit.isSuccess(exit)) return exit.value
  const error = Cause.findErrorOption(exit.cause)
  const isDefect = Cause.hasDies(exit.cause)
  const problem = problemOf(Option.getOrElse(error, () => Cause.squash(exit.cause)))
  return isDefect || Option.exists(error, (error) => error.reason._tag === "Corrupt" || isCompanyRestored(error))
    ? { _tag: "Broken", problem, cause: exit.cause }
    : { _tag: "Failed", problem }
}

const problemOf = (error: unknown): string =>
  (error instanceof Error ? error.message : "A defect").slice(0, maxProblemLength)

/**
 * Records the result of a job and returns it as a short text: the outcome of the handler, `done`, `due later`, `failed`
 * or `quarantined`. The store refuses the result if the lease was lost.
 *
 * @category recording
 * @since 0.1.0
 */
export const recordWorkOutcome = Effect.fnUntraced(function* (
  dueWork: DueWork["Service"],
  work: LeasedWork,
  exit: Exit.Exit<WorkResult, StoreError>
) {
  const ended = recordedResultOf(exit)
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
      const wait = yield* randomBackoff(work.failures, firstBackoff, maxBackoff)
      yield* Effect.logWarning(`A job failed and runs again in ${Duration.format(wait)}: ${name}: ${ended.problem}`)
      const dueAt = MachineTime.make(now + Duration.toMillis(wait))
      yield* dueWork.postpone(work, { clock: "machine", dueAt, waitsSince: now, problem: ended.problem })
      return "failed"
    }
    case "Broken":
      // A restore of the company deletes leases, and its restored jobs are due.
      if (!(yield* dueWork.quarantine(work, { now, problem: ended.problem }))) return "failed"
      yield* Effect.logError(
        `A job is quarantined until DueWork.release (in the sandbox: POST /sandbox/quarantined-work/release): ${name}`,
        ended.cause
      )
      return "quarantined"
  }
})

/**
 * The result of a handler.
 *
 * - `Done`: finished; the row is to be deleted
 * - `Removed`: finished; the handler's own transaction deleted the row
 * - `DueLater`: due again at a time
 * - `Failed`: to be repeated after a delay; a temporary store error has the same effect
 *
 * A defect or an unreadable row quarantines the job.
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
 * A finished job without a specific outcome.
 *
 * @category constants
 * @since 0.1.0
 */
export const done: WorkResult = { _tag: "Done" }
