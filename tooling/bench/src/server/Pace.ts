/** Keeps the usual run within its time: on a machine that is slow, what is left is measured once. */
import type { Plan } from "./Options.ts"

export interface Progress {
  readonly elapsedSeconds: number
  /** Operations that were measured, of all that will be. */
  readonly done: number
  readonly total: number
  /** For the whole run; without one nothing is shortened. */
  readonly limitSeconds: number | undefined
}

/** Seconds for starting servers and making what the operations refer to. */
const preparing = 30

/** The plan as it is, or one round of it when the run is behind: a shorter one would measure its own beginning. */
export const paced = (plan: Plan, { done, elapsedSeconds, limitSeconds, total }: Progress): Plan =>
  limitSeconds === undefined || elapsedSeconds <= preparing + ((limitSeconds - preparing) * done) / total
    ? plan
    : { ...plan, rounds: 1 }
