/**
 * The due work of a subscription's payments when its status begins or ends to hold them back.
 *
 * **Details**
 *
 * The unit that changes the status writes one row of due work, however many payments there are. A worker follows it, a
 * bounded number of payments in each unit. Until it is there a payment that is held is not sent either: whoever sends one
 * looks at the subscription.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { openTransactionsWhile } from "@parcela/core/subscriptions/SubscriptionStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { machineNow } from "../commands/Times.ts"
import { atOnce, DueWork, type LeasedWork, type NewWork } from "../ports/DueWork.ts"
import { Settings } from "../Settings.ts"
import { Subscriptions } from "../ports/Subscriptions.ts"
import { Transactions } from "../ports/Transactions.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { partOf, subjectOf } from "./Continued.ts"
import { sending } from "./Sending.ts"

/** How many payments a unit looks at. */
const batch = 100

const isSentWhile = (status: keyof typeof openTransactionsWhile): boolean => openTransactionsWhile[status] === "sent"

const following = (companyId: CompanyId, subject: string, now: MachineTime) =>
  ({ kind: "follow subscription", companyId, subject, ...atOnce(now) }) as const

/**
 * The work that follows changes of a subscription's status.
 *
 * @category constructors
 * @since 0.1.0
 */
export const followingOf = (
  companyId: CompanyId,
  events: ReadonlyArray<BillingEvent>,
  now: MachineTime
): ReadonlyArray<NewWork> =>
  events.flatMap((event) =>
    event._tag === "SubscriptionStatusChanged" && isSentWhile(event.from) !== isSentWhile(event.to)
      ? [following(companyId, subjectOf({ id: event.subscriptionId }), now)]
      : []
  )

/**
 * Follows the status that a subscription has now: cancels the work of its next payments, or schedules it again, and
 * leaves the rest to the work that it writes.
 *
 * **Details**
 *
 * The status is read and locked in the unit that follows it, so two that follow at once, one of them an older change, end
 * with what the last change wants.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollow = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const subscriptions = yield* Subscriptions
  const transactions = yield* Transactions
  const unitOfWork = yield* UnitOfWork
  const { zone } = yield* Settings

  const follow = Effect.fnUntraced(function* (leased: LeasedWork, companyId: CompanyId) {
    const { after, id } = partOf(leased.subject)
    // Another worker has it: its own unit is what counts.
    if (!(yield* dueWork.done(leased))) return
    const subscriptionId = SvcPayId.make(id)
    const found = yield* subscriptions.findForUpdate(companyId, bySvcPayId(subscriptionId))
    const { status } = Option.getOrThrowWith(found, () => new Error(`There is no subscription ${id}`))
    const page = yield* transactions.ofSubscription(companyId, subscriptionId, after?.[0] ?? 0, batch)
    const now = yield* machineNow
    const work = page.flatMap((state) => sending(state, now, zone) ?? [])
    yield* isSentWhile(status)
      ? dueWork.schedule(work)
      : dueWork.cancel(
          "send payment",
          work.map(({ subject }) => subject)
        )
    if (page.length < batch) return
    // The page is not empty here.
    yield* dueWork.schedule([following(companyId, subjectOf({ id, after: [page.at(-1)!.id] }), now)])
  })

  return (leased: LeasedWork, companyId: CompanyId) => unitOfWork.transact(follow(leased, companyId))
})
