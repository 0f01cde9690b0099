/**
 * The steps of a command that both databases share: its load, its decision, and its reruns.
 *
 * @since 0.1.0
 */
import type { Outcome, StoreCommand } from "@parcela/engine/command/CommandStore"
import type { Args, Loaded, LoadName } from "@parcela/engine/command/Loads"
import type { WriteSet } from "@parcela/engine/command/WriteSet"
import { CommitUnknown, Corrupt, StoreError, Unavailable } from "@parcela/engine/ports/StoreError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Load } from "../loads/Load.ts"
import { loads } from "../loads/Loads.ts"
import type { Row } from "../sql/Statement.ts"
import { toStoreError } from "../sql/StoreErrors.ts"

/**
 * Translates the errors of a command's statements.
 *
 * @category errors
 * @since 0.1.0
 */
export const commandError = toStoreError("a command")

/**
 * The load of a command.
 *
 * @category getters
 * @since 0.1.0
 */
// The table of loads gives each name one type of arguments, which the compiler cannot infer.
export const loadOf = <N extends LoadName>({ load }: { readonly load: N }): Load<N> => loads[load] as Load<N>

/** Decodes the one row of a command's load. */
const readLoad = <N extends LoadName>(
  command: { readonly load: N; readonly args: Args<N> },
  row: Row | undefined
): Result.Result<Loaded<N>, StoreError> =>
  row === undefined ? Result.fail(withoutCompany) : loadOf(command).decode(row, command.args)

const withoutCompany = new StoreError({
  reason: new Corrupt({ table: "companies", cause: new Error("The company is not there") })
})

/**
 * Decides a command on the row of its load.
 *
 * @category running
 * @since 0.1.0
 */
export const decide = <N extends LoadName, A, R>(
  command: StoreCommand<N, A, R>,
  row: Row | undefined
): Result.Result<Outcome<A>, R | StoreError> => {
  const loaded = readLoad(command, row)
  return Result.isSuccess(loaded) ? command.decide(loaded.success) : Result.fail(loaded.failure)
}

/**
 * Decides a command on the data that it has already. Undefined if the decision writes nothing, because only the guards of
 * a write can show that the data is current.
 *
 * @category running
 * @since 0.1.0
 */
export const decideLoaded = <N extends LoadName, A, R>({
  decide,
  loaded
}: StoreCommand<N, A, R>): (Outcome<A> & { readonly writes: WriteSet }) | undefined => {
  if (loaded === undefined) return undefined
  const decided = Result.getOrUndefined(decide({ found: loaded, key: undefined }))
  return decided?.writes === undefined ? undefined : { ...decided, writes: decided.writes }
}

/**
 * One run of a command: it ends in an outcome or a refusal, or fails with the error of the database.
 *
 * @category models
 * @since 0.1.0
 */
export type Run<A, R> = Effect.Effect<Outcome<A>, R | StoreError>

/** The most reruns of a command. */
const maxReruns = 5

/**
 * Runs a command until it ends. It runs again after a conflict with another command, and after a commit whose reply was lost.
 *
 * @category running
 * @since 0.1.0
 */
export const withReruns = <A, R>(first: Run<A, R>, again: (error: StoreError) => Run<A, R>): Run<A, R> => {
  const reruns = new Reruns()
  const settle = (run: Run<A, R>): Run<A, R> =>
    Effect.catch(run, (error) => {
      if (!(error instanceof StoreError)) return Effect.fail(error)
      const failure = reruns.after(error)
      return failure === undefined ? settle(again(error)) : Effect.fail(failure)
    })
  return settle(first)
}

class Reruns {
  private left = maxReruns
  private last: StoreError | undefined
  private unknown: StoreError | undefined

  /** The error that the command fails with; undefined if it runs again. */
  after(error: StoreError): StoreError | undefined {
    if (error.reason._tag === "CommitUnknown") this.unknown = error
    if (!this.isWorthRerun(error)) return this.failure(error)
    this.last = error
    this.left -= 1
    return this.left < 0 ? this.failure(new StoreError({ reason: new Unavailable({ cause: error }) })) : undefined
  }

  /** After a lost commit no error may state that nothing was written. */
  private failure(error: StoreError): StoreError {
    return this.unknown === undefined || error.reason._tag === "CommitUnknown"
      ? error
      : new StoreError({ reason: new CommitUnknown({ cause: error }) })
  }

  private isWorthRerun({ reason }: StoreError): boolean {
    if (reason._tag === "Changed" || reason._tag === "CommitUnknown") return true
    if (reason._tag !== "Conflict") return false
    const last = this.last?.reason
    // After one conflict the load returns the conflicting row, and the decision refuses: a second conflict is a defect.
    return last?._tag !== "Conflict" || last.constraint !== reason.constraint
  }
}
