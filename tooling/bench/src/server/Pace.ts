/** Keeps the usual run within its time: on a machine that is slow, what is left is measured in fewer rounds. */
import type { Operation } from "./Operations.ts"
import type { Plan } from "./Options.ts"

export interface Progress {
  readonly elapsedSeconds: number
  /** Seconds that were planned for what was measured, of those for all that will be. */
  readonly done: number
  readonly total: number
  /** For the whole run; without one nothing is shortened. */
  readonly limitSeconds: number | undefined
}

/** Seconds for starting servers, making what the operations refer to, and the first requests of cold servers. */
const preparing = 40

/** Of a server, at the most that is usual; a floor has had enough requests in one second. */
const warmingUp = { server: 8, floor: 1 }

/** What an operation takes, as it is planned; its servers are warmed up before they are measured with it for the first time. */
export const planned = (
  { floorRounds, hasFastify, rounds, seconds, stores }: Plan,
  isFirst: boolean,
  { without }: Pick<Operation, "without"> = {}
): number => {
  const floors = hasFastify ? 2 : 1
  const warm = isFirst ? stores.length * warmingUp.server + floors * warmingUp.floor : 0
  const servers = stores.length * (without === undefined ? 1 : 2)
  return warm + seconds * (rounds * servers + Math.min(rounds, floorRounds ?? rounds) * floors)
}

/** The plan as it is, or a third of its rounds when the run is behind: shorter ones would measure their own beginning. */
export const paced = (plan: Plan, { done, elapsedSeconds, limitSeconds, total }: Progress): Plan =>
  limitSeconds === undefined || elapsedSeconds <= preparing + ((limitSeconds - preparing) * done) / total
    ? plan
    : { ...plan, rounds: Math.ceil(plan.rounds / 3) }
