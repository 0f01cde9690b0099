/**
 * Pauses, resumes or cancels the payments of a subscription after a change of its status.
 *
 * **Details**
 *
 * The change of the status schedules one job for any number of payments. Each run of the job changes one page of
 * payments. Before that, sending a payment reads the status of its subscription, so a paused payment is not sent.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Commands, withoutKey } from "../command/Command.ts"
import type { RefusalsOf, Decided } from "../command/Decided.ts"
import { followSubscription, isSentWhile, partOf, maxPaymentsPerWrite, subjectOf } from "../command/ScheduledWork.ts"
import { sendPaymentWork } from "../command/WriteSet.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { LeasedWork } from "../ports/DueWork.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import { cancelWithContract } from "./CancelSubscription.ts"
import { companyRestored } from "../ports/StoreError.ts"

/**
 * Returns the handler that applies the current status: it cancels the jobs of a page of payments, or schedules them
 * again, and schedules itself for the next page.
 *
 * **Details**
 *
 * The write is guarded by the version of the subscription, so two concurrent runs end with the latest status. The
 * handler is idempotent: a run that is repeated after a crash writes the same rows.
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
      limit: maxPaymentsPerWrite
    }
    yield* withoutKey(
      commands.run({ load: "subscriptionPayments", args, decide: follow(zone), missing: companyRestored })
    ).pipe(
      // Every open payment can be cancelled, so a refusal is a defect of this program.
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
    const last = payments.length < maxPaymentsPerWrite ? undefined : payments.at(-1)
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
