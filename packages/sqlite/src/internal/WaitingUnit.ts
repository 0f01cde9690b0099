/**
 * A unit of work that waits for its turn on the connection.
 *
 * @since 0.1.0
 */
import type { SqliteTurn } from "../SqliteTurn.ts"

/** `run` does its work, and returns what ends it once that is committed; it is run again after it was undone. */
export interface WaitingUnit {
  readonly isBackground: boolean
  readonly run: (turn: SqliteTurn) => () => void
  readonly fail: (thrown: unknown, isCommit: boolean) => void
  /** How often it was undone because another unit threw; `Infinity` once it threw itself. */
  undone: number
}

/** The most units of one commit: what would have to run again if the last of them threw. */
export const mostOfALot = 512

/** By how often a unit was undone: the first time most likely one unit alone was at fault, and what came before it shares a commit again. */
const mostAfter: ReadonlyArray<number> = [mostOfALot, mostOfALot, 64, 8]

/** With how many units, itself included, this one shares a commit at most. */
export const mostWith = ({ undone }: WaitingUnit): number => mostAfter[undone] ?? 1
