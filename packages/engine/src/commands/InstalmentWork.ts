/**
 * When something is to be done for a periodic subscription, as due work.
 *
 * @since 0.1.0
 */
import { subscriptionDue } from "@parcela/core/subscriptions/PeriodicSubscription"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import { businessStartOf } from "@parcela/core/time/BusinessTime"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import { atOnce, type NewWork } from "../ports/DueWork.ts"
import type { SettingsShape } from "../Settings.ts"

/**
 * The work that makes the next instalments of a subscription; none when there is nothing to be made.
 *
 * @category constructors
 * @since 0.1.0
 */
export const instalmentWork = (
  state: SubscriptionState,
  now: MachineTime,
  zone: SettingsShape["zone"]
): NewWork | undefined => {
  const due = subscriptionDue(state)
  if (due._tag === "Never") return undefined
  const work = { kind: "make instalments", companyId: state.companyId, subject: String(state.id) } as const
  return due._tag === "AtOnce"
    ? { ...work, ...atOnce(now) }
    : { ...work, clock: "business", dueAt: businessStartOf(due.day, zone) }
}
