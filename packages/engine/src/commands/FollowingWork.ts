/**
 * The due work that follows from events: what would be too much for the unit that writes them is one row, and a worker
 * goes on from there.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import { openTransactionsWhile } from "@parcela/core/subscriptions/SubscriptionStatus"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import { atOnce, type NewWork } from "../ports/DueWork.ts"
import { subjectOf } from "./WorkInParts.ts"

/**
 * Whether the next payments of a subscription are sent while it has this status.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isSentWhile = (status: keyof typeof openTransactionsWhile): boolean =>
  openTransactionsWhile[status] === "sent"

const ofKind =
  (kind: NewWork["kind"]) =>
  (companyId: CompanyId, subject: string, now: MachineTime): NewWork => ({ kind, companyId, subject, ...atOnce(now) })

/**
 * Follows the status of a subscription: see `FollowSubscription`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const followSubscription = ofKind("follow subscription")

/**
 * Ends an open payment of a subscription that was cancelled: see `CancelPayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cancelPayment = ofKind("cancel payment")

/**
 * Withdraws a boleto or a Pix that is registered, to be registered anew with its subscription's value: see `ChangePayment`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const changePayment = ofKind("change payment")

/**
 * Brings further open payments of a subscription in line with its terms: see `EditedPayments`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const applyTerms = ofKind("apply terms")

/**
 * Gives up what an endpoint does not want any more: see `UnwantedDeliveries`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const giveUpDeliveries = ofKind("give up deliveries")

/**
 * The work that follows changes of a subscription's status, and edits and deletions of endpoints.
 *
 * @category conversions
 * @since 0.1.0
 */
export const followingOf = (
  companyId: CompanyId,
  events: ReadonlyArray<BillingEvent>,
  now: MachineTime
): ReadonlyArray<NewWork> =>
  events.flatMap((event) => {
    switch (event._tag) {
      case "SubscriptionStatusChanged":
        return isSentWhile(event.from) === isSentWhile(event.to) && event.to !== "canceled"
          ? []
          : [followSubscription(companyId, subjectOf({ id: event.subscriptionId }), now)]
      case "WebhookEndpointEdited":
      case "WebhookEndpointDeleted":
        return [giveUpDeliveries(companyId, subjectOf({ id: event.endpointId }), now)]
      default:
        return []
    }
  })
