/**
 * The due work of a subscription's payments when its status begins or ends to hold them back.
 *
 * @since 0.1.0
 */
import type { BillingEvent } from "@parcela/core/BillingEvent"
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import type { SvcPayId } from "@parcela/core/Identifier"
import { openTransactionsWhile } from "@parcela/core/SubscriptionStatus"
import * as Effect from "effect/Effect"
import { DueWork } from "../ports/DueWork.ts"
import { Settings } from "../Settings.ts"
import { Transactions } from "../Transactions.ts"
import { sending } from "./ScheduledWrites.ts"

/** How many payments are looked at together. */
const batch = 500

/** The statuses in which a transaction may be due. */
const open = ["notSend", "pendingBoleto", "pendingPix"]

/**
 * Cancels the work of a subscription's payments when a change of its status holds them back, and schedules it again
 * when one lets them go; in the transaction that is open.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const transactions = yield* Transactions
  const { zone } = yield* Settings

  const follow = Effect.fnUntraced(function* (
    companyId: CompanyId,
    subscriptionId: SvcPayId,
    isSent: boolean,
    now: EpochMillis
  ) {
    const filter = { subscriptionSvcPayIds: [subscriptionId], status: open }
    let startAt = 0
    let found = batch
    while (found === batch) {
      const page = yield* transactions.list(companyId, filter, { startAt, limit: batch, order: [] })
      const work = page.flatMap((state) => sending(state, now, zone) ?? [])
      yield* isSent
        ? dueWork.schedule(work)
        : dueWork.cancel(
            "send payment",
            work.map(({ subject }) => subject)
          )
      found = page.length
      startAt += batch
    }
  })

  return Effect.fnUntraced(function* (companyId: CompanyId, events: ReadonlyArray<BillingEvent>, now: EpochMillis) {
    for (const event of events) {
      if (event._tag !== "SubscriptionStatusChanged") continue
      const wasSent = openTransactionsWhile[event.from] === "sent"
      const isSent = openTransactionsWhile[event.to] === "sent"
      if (wasSent !== isSent) yield* follow(companyId, event.subscriptionId, isSent, now)
    }
  })
})
