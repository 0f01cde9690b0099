/**
 * The deliveries that wait for an endpoint whose events were switched off.
 *
 * **Details**
 *
 * The unit that edits the endpoint writes one row of due work, however many deliveries wait. A worker looks at them, a
 * bounded number at a time. One that is not wanted and comes to the head of its lane before is given up there: none is
 * sent.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import { machineNow } from "../ports/Times.ts"
import { Outbox } from "../ports/Outbox.ts"
import { DueWork, type LeasedWork } from "../ports/DueWork.ts"
import { giveUpDeliveries, scheduleFollowing, partOf, subjectOf } from "../command/ScheduledWork.ts"

/** How many deliveries a unit looks at. */
const batch = 500

/**
 * What stands with a delivery that was given up since its event was switched off.
 *
 * @category constants
 * @since 0.1.0
 */
export const unwanted = "The event was switched off"

/**
 * Says in the log how many deliveries were given up so.
 *
 * @category reporting
 * @since 0.1.0
 */
export const reportUnwanted = (count: number, companyId: CompanyId): Effect.Effect<void> => {
  const lost = `${count} waiting ${count === 1 ? "delivery was" : "deliveries were"} given up`
  return count === 0 ? Effect.void : Effect.logWarning(`${lost}: company ${companyId} switched their events off`)
}

/**
 * Gives up those of the next deliveries of an endpoint that it does not want now, and leaves the rest to the work that it
 * writes. A part that is done twice, since a crash came before its work was ended, finds nothing the second time.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const outbox = yield* Outbox

  return Effect.fnUntraced(function* ({ subject }: LeasedWork, companyId: CompanyId) {
    const { after, id } = partOf(subject)
    const now = yield* machineNow
    // The subject is written with two numbers, see subjectOf.
    const cursor = after === undefined ? undefined : { transactionId: after[0]!, webhookId: after[1]! }
    const { givenUp, next } = yield* outbox.giveUpUnwanted(id, { after: cursor, limit: batch, now, problem: unwanted })
    yield* reportUnwanted(givenUp, companyId)
    if (next === undefined) return
    const rest = subjectOf({ id, after: [next.transactionId, next.webhookId] })
    yield* scheduleFollowing(dueWork, giveUpDeliveries(companyId, rest, now))
  })
})
