/**
 * How due work ended.
 *
 * @since 0.1.0
 */
import type { DueTime } from "../ports/DueWork.ts"

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
