/**
 * What a fiber schedules, for one who waits for what follows from some work: an advance of a clock.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { DueWork, NewWork, WorkName } from "../ports/DueWork.ts"

/**
 * Where the units of a fiber note what they scheduled; nowhere when none is provided.
 *
 * @category references
 * @since 0.1.0
 */
export const ScheduledWork = Context.Reference<Array<WorkName> | undefined>("@parcela/engine/commands/ScheduledWork", {
  defaultValue: () => undefined
})

/**
 * Schedules work that follows from other work and is written by no unit.
 *
 * @category combinators
 * @since 0.1.0
 */
export const scheduleFollowing = (dueWork: DueWork["Service"], work: NewWork) =>
  Effect.flatMap(ScheduledWork, (scheduled) =>
    Effect.map(dueWork.schedule([work]), () => {
      scheduled?.push(work)
    })
  )
