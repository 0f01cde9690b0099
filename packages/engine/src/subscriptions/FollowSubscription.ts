/**
 * Follows a subscription's status: its payments are paused, resumed or cancelled with it.
 *
 * **Details**
 *
 * The unit that changes the status writes one row of due work, however many payments there are. A worker follows it, a
 * bounded number of payments in each unit. Until it is there a payment that is to be paused is not sent either: sending one
 * looks at the subscription.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Commands, withoutKey, type RefusalsOf } from "../command/Command.ts"
import {
  followSubscription,
  isSentWhile,
  partOf,
  paymentsOfUnit,
  subjectOf,
  sendPaymentWork
} from "../command/ScheduledWork.ts"
import type { Times } from "../ports/Times.ts"
import type { Decided } from "../command/Decided.ts"
import type { SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { LeasedWork } from "../ports/DueWork.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { cancelWithContract } from "./CancelSubscription.ts"
import { companyRestored } from "../ports/StoreError.ts"

/**
 * Follows the status that a subscription has now: cancels the work of its next payments, or schedules it again, and
 * leaves the rest to the work that it writes.
 *
 * **Details**
 *
 * It is guarded by the subscription whose status it follows, so two that follow at once, one of them an older change, end
 * with what the last change wants. A part that is done twice, since a crash came before its work was ended, writes the
 * same again.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFollow = Effect.gen(function* () {
  const commands = yield* Commands
  const { zone } = yield* Settings

  return Effect.fnUntraced(function* ({ subject }: LeasedWork, companyId: CompanyId) {
    const { after, id } = partOf(subject)
    const args = {
      companyId,
      subscription: bySvcPayId(SvcPayId.make(id)),
      after: after?.[0] ?? 0,
      limit: paymentsOfUnit
    }
    yield* withoutKey(
      commands.run({ load: "subscriptionPayments", args, decide: follow(zone), missing: companyRestored })
    ).pipe(
      // What is open may be cancelled: a refusal is a fault of ours.
      Effect.catchTag("BillingError", Effect.die)
    )
  })
})

const follow =
  (zone: SettingsShape["zone"]) =>
  (
    found: SubscriptionPaymentsContext,
    at: Times
  ): Result.Result<Decided<void>, RefusalsOf<typeof cancelWithContract>> => {
    const { companyId, guard, payments, subscription } = found
    const { id, status } = subscription
    const { machine: now } = at
    const work = payments.flatMap((state) => sendPaymentWork(state, now, zone) ?? [])
    const last = payments.length < paymentsOfUnit ? undefined : payments.at(-1)
    const rest = last === undefined ? [] : [followSubscription(companyId, subjectOf({ id, after: [last.id] }), now)]
    if (status === "canceled") {
      return Result.map(cancelWithContract(found, at), ({ schedule, ...cancelled }) => ({
        ...cancelled,
        value: undefined,
        guards: [guard],
        schedule: [...schedule, ...rest]
      }))
    }
    return Result.succeed({
      value: undefined,
      guards: [guard],
      changes: [],
      events: [],
      ...(isSentWhile(status) ? { schedule: [...work, ...rest] } : { cancel: work, schedule: rest })
    })
  }
