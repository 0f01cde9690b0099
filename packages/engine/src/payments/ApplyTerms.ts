/**
 * Applies edited terms of a subscription to its open payments. The edit itself changes the first payments, and jobs
 * change the rest in pages of {@link maxPaymentsPerWrite}.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { dateAt } from "@parcela/core/time/Instant"
import { type EditedTerms, withTerms } from "@parcela/core/transactions/TransactionEdit"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import { bySvcPayId, SvcPayId } from "@parcela/core/values/Identifier"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Commands, withoutKey } from "../command/Command.ts"
import type { RefusalsOf, Change, Decided } from "../command/Decided.ts"
import { applyEdited, changeEdited, editedIn, isAnyOf, partOf, maxPaymentsPerWrite } from "../command/ScheduledWork.ts"
import type { Times } from "../ports/WriteContext.ts"
import type { SubscriptionPaymentsContext } from "../command/LoadedPayments.ts"
import type { LeasedWork, NewWork } from "../ports/DueWork.ts"
import { Settings } from "../Settings.ts"
import { isToBeChanged } from "./ChangePayment.ts"
import { companyRestored } from "../ports/StoreError.ts"
import { snapshotIn } from "./ShowPayment.ts"

/**
 * The changes of one page of payments.
 *
 * @category models
 * @since 0.1.0
 */
export interface EditedPayments extends Pick<Decided<unknown>, "changes" | "events" | "snapshots"> {
  /** The payments of the page after the change. */
  readonly payments: ReadonlyArray<TransactionState>
  readonly schedule: ReadonlyArray<NewWork>
}

/**
 * Applies the edited terms to a page of payments. The returned jobs change the next page and the registered payments.
 *
 * @category decisions
 * @since 0.1.0
 */
export const editPayments = (
  found: SubscriptionPaymentsContext,
  edited: EditedTerms,
  { business: now, machine }: Times,
  zone: DateTime.TimeZone
): Result.Result<EditedPayments, RefusalsOf<typeof withTerms>> =>
  Result.gen(function* () {
    const { payments, subscription } = found
    const isAny = isAnyOf(edited)
    const { cardId, creditCard, mainPaymentMethodId, schedule } = subscription
    const terms = { cardId, creditCard, mainPaymentMethodId, value: schedule?.value }
    const context = { now, today: dateAt(now, zone) }
    const changes: Array<Change> = []
    const events: Array<EditedPayments["events"][number]> = []
    const left: Array<TransactionState> = []
    for (const before of payments) {
      const decided = isAny ? yield* withTerms(before, terms, edited, context) : undefined
      left.push(decided?.next ?? before)
      if (decided === undefined) continue
      changes.push({ table: "transactions", before, next: decided.next, customerId: subscription.customerId })
      events.push(...decided.events)
    }
    const last = isAny && payments.length === maxPaymentsPerWrite ? payments.at(-1) : undefined
    const registered = payments.filter((payment) => isToBeChanged(payment, terms, edited))
    return {
      payments: left,
      changes,
      events,
      snapshots: left.map(snapshotIn(found)),
      schedule: [
        ...registered.map((payment) => changeEdited(payment, edited, machine)),
        ...(last === undefined ? [] : [applyEdited(subscription, edited, last.id, machine)])
      ]
    }
  })

/**
 * Returns the handler that changes the next page of payments.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeApply = Effect.gen(function* () {
  const commands = yield* Commands
  const { zone } = yield* Settings
  return Effect.fnUntraced(function* ({ subject }: LeasedWork, companyId: CompanyId) {
    const { after: [after = 0, mask = 0] = [], id } = partOf(subject)
    yield* withoutKey(
      commands.run({
        load: "subscriptionPayments",
        args: { companyId, subscription: bySvcPayId(SvcPayId.make(id)), after, limit: maxPaymentsPerWrite },
        decide: (
          found: SubscriptionPaymentsContext,
          at: Times
        ): Result.Result<Decided<void>, RefusalsOf<typeof editPayments>> =>
          Result.map(
            editPayments(found, editedIn(mask), at, zone),
            ({ changes, events, schedule, snapshots = [] }) => ({
              value: undefined,
              guards: [found.guard],
              changes,
              events,
              schedule,
              snapshots
            })
          ),
        // Entities are never deleted individually, so only a restore explains a missing subscription.
        missing: companyRestored
      })
    ).pipe(
      // The edit was accepted before, so a refusal here is a defect of this program.
      Effect.catchTag("BillingError", Effect.die)
    )
  })
})
