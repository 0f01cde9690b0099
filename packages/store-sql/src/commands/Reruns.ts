/**
 * When a unit is run again, and when no longer.
 *
 * @since 0.1.0
 */
import { CommitUnknown, StoreError, Unavailable } from "@parcela/engine/ports/StoreError"

/** How often a unit is run again. */
const mostReruns = 5

/**
 * Why a unit is run again: its guard had moved, a row stood in the way or was changed at the same time, or whether it
 * was committed is not known.
 *
 * @category models
 * @since 0.1.0
 */
export type Rerun = { readonly _tag: "Moved" } | { readonly _tag: "Failed"; readonly error: StoreError }

/**
 * The reruns of one unit.
 *
 * @category models
 * @since 0.1.0
 */
export class Reruns {
  private left = mostReruns
  private last: StoreError | undefined
  private unknown: StoreError | undefined

  /** What the unit fails with; undefined when it is to be run again. */
  after(rerun: Rerun): StoreError | undefined {
    const error = rerun._tag === "Failed" ? rerun.error : undefined
    if (error?.reason._tag === "CommitUnknown") this.unknown = error
    if (error !== undefined && !this.isWorthOne(error)) return this.ending(error)
    this.last = error
    this.left -= 1
    return this.left < 0
      ? this.ending(new StoreError({ reason: new Unavailable({ cause: error ?? movedTooOften }) }))
      : undefined
  }

  /** How a failure of the store reads: once a commit was lost, nothing may say that nothing was written. */
  ending(error: StoreError): StoreError {
    return this.unknown === undefined || error.reason._tag === "CommitUnknown"
      ? error
      : new StoreError({ reason: new CommitUnknown({ cause: error }) })
  }

  private isWorthOne({ reason }: StoreError): boolean {
    if (reason._tag === "Changed" || reason._tag === "CommitUnknown") return true
    if (reason._tag !== "Conflict") return false
    const last = this.last?.reason
    // The load would have shown the row, and the decision would have refused: nothing comes of one more.
    return last?._tag !== "Conflict" || last.constraint !== reason.constraint
  }
}

const movedTooOften = new Error("Other commands changed the same entity again and again")
