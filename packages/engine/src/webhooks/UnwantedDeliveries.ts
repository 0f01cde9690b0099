/**
 * Abandons the pending deliveries of an endpoint for events to which it no longer subscribes.
 *
 * **Details**
 *
 * The edit of the endpoint schedules one job for any number of deliveries. Each run of the job checks one page of
 * deliveries. An unwanted delivery that reaches the head of the queue earlier is abandoned there. It is never sent.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import * as Effect from "effect/Effect"
import { machineNow } from "../ports/WriteContext.ts"
import { Outbox } from "../ports/Outbox.ts"
import { DueWork, type LeasedWork } from "../ports/DueWork.ts"
import { abandonDeliveries, scheduleFollowing, partOf, subjectOf } from "../command/ScheduledWork.ts"

/** Maximum number of deliveries per database transaction. */
const batch = 500

/**
 * The problem stored with a delivery whose event was switched off.
 *
 * @category constants
 * @since 0.1.0
 */
export const unwanted = "The event was switched off"

/**
 * Logs the number of abandoned deliveries.
 *
 * @category reporting
 * @since 0.1.0
 */
export const reportUnwanted = (count: number, companyId: CompanyId): Effect.Effect<void> => {
  const lost = `${count} waiting ${count === 1 ? "delivery was" : "deliveries were"} abandoned`
  return count === 0 ? Effect.void : Effect.logWarning(`${lost}: company ${companyId} switched their events off`)
}

/**
 * Returns the handler that abandons the unwanted deliveries of one page and schedules itself for the next page.
 * Idempotent: a run that is repeated after a crash finds no unwanted deliveries.
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
    // The subject contains two numbers: see subjectOf.
    const cursor = after === undefined ? undefined : { transactionId: after[0]!, webhookId: after[1]! }
    const { abandoned, next } = yield* outbox.abandonUnwanted(id, {
      after: cursor,
      limit: batch,
      now,
      problem: unwanted
    })
    yield* reportUnwanted(abandoned, companyId)
    if (next === undefined) return
    const rest = subjectOf({ id, after: [next.transactionId, next.webhookId] })
    yield* scheduleFollowing(dueWork, abandonDeliveries(companyId, rest, now))
  })
})
