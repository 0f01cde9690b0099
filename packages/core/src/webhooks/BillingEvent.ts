/**
 * Events of decisions. The journal stores every event, and some events cause webhook deliveries.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { AttemptKind, AttemptId } from "../attempts/Attempt.ts"
import { ChargeStatus } from "../charges/ChargeState.ts"
import { Cents } from "../money/Cents.ts"
import { MachineTime } from "../time/Instant.ts"
import { SvcPayId } from "../values/Identifier.ts"
import { Settlement } from "../transactions/TransactionFields.ts"
import { SubscriptionStatus } from "../subscriptions/SubscriptionState.ts"
import type { TransactionState } from "../transactions/TransactionState.ts"
import { TransactionStatus } from "../transactions/TransactionStatus.ts"
import { WebhookEvent } from "./WebhookEvent.ts"

/**
 * All events with their data.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BillingEvent = Schema.TaggedUnion({
  CustomerCreated: { customerId: SvcPayId },
  CustomerDeactivated: { customerId: SvcPayId },
  CustomerUpdated: { customerId: SvcPayId },
  CardAdded: { cardId: SvcPayId, customerId: SvcPayId },
  CardRemoved: { cardId: SvcPayId, customerId: SvcPayId },
  CardUpdated: { cardId: SvcPayId, customerId: SvcPayId },
  PlanCreated: { planId: SvcPayId },
  PlanDeactivated: { planId: SvcPayId },
  PlanUpdated: { planId: SvcPayId },
  SubscriptionCreated: { subscriptionId: SvcPayId },
  SubscriptionEdited: { subscriptionId: SvcPayId },
  SubscriptionStatusChanged: { subscriptionId: SvcPayId, from: SubscriptionStatus, to: SubscriptionStatus },
  ChargeCreated: { chargeId: SvcPayId },
  ChargeEdited: { chargeId: SvcPayId },
  ChargeStatusChanged: { chargeId: SvcPayId, from: ChargeStatus, to: ChargeStatus },
  /** Exactly one of `subscriptionId` and `chargeId` is present. */
  TransactionAdded: {
    transactionId: SvcPayId,
    subscriptionId: Schema.optionalKey(SvcPayId),
    chargeId: Schema.optionalKey(SvcPayId)
  },
  TransactionEdited: { transactionId: SvcPayId },
  TransactionSent: { transactionId: SvcPayId, attemptId: AttemptId },
  OperatorResponded: {
    transactionId: SvcPayId,
    attemptId: AttemptId,
    outcome: Schema.Literals(["Captured", "Authorized", "Denied"])
  },
  /** A provider finally denied a reversal, a registration or a cancellation. */
  ProviderDenied: {
    transactionId: SvcPayId,
    attemptId: AttemptId,
    kind: AttemptKind,
    code: Schema.String,
    message: Schema.String
  },
  /** The service abandoned a charge that its provider never received, because its subscription or charge no longer needs the payment. */
  AttemptAbandoned: { transactionId: SvcPayId, attemptId: AttemptId },
  /** The provider cancelled a boleto or a Pix that had been paid in the meantime: the payment stays paid. */
  WithdrawnAfterPayment: { transactionId: SvcPayId, attemptId: AttemptId },
  /** `isReplacement`: it was registered before, and cancelled to change its value or payday. */
  TransactionRegistered: { transactionId: SvcPayId, isReplacement: Schema.optionalKey(Schema.Boolean) },
  TransactionStatusChanged: { transactionId: SvcPayId, from: TransactionStatus, to: TransactionStatus },
  /** The cardholder disputed a charge. `process` is the operator's identifier of the dispute. */
  ChargebackOpened: { transactionId: SvcPayId, process: Schema.String },
  TransactionReversed: { transactionId: SvcPayId, value: Cents },
  TransactionSettled: { transactionId: SvcPayId, settlement: Settlement },
  /** A finished delivery is sent again. */
  DeliveryReplayed: { endpointId: Schema.Int, webhookId: Schema.Int },
  WebhookEndpointCreated: { endpointId: Schema.Int, url: Schema.String, events: Schema.Array(WebhookEvent) },
  WebhookEndpointDeleted: { endpointId: Schema.Int },
  WebhookEndpointEdited: { endpointId: Schema.Int, url: Schema.String, events: Schema.Array(WebhookEvent) },
  WebhookEndpointSwitchedOff: { endpointId: Schema.Int, reason: Schema.String },
  WebhookEndpointSwitchedOn: { endpointId: Schema.Int },
  WebhookSecretRotated: { endpointId: Schema.Int, version: Schema.Int, earlierUntil: MachineTime },
  WebhookSecretsEnded: { endpointId: Schema.Int, version: Schema.Int }
})

/**
 * @category models
 * @since 0.1.0
 */
export type BillingEvent = typeof BillingEvent.Type

/**
 * The webhook event of an event (interface section 6); undefined if the event is not delivered. A boleto or a Pix is announced when
 * its code exists, so that the receiver gets all data. The payment of a charge is not announced, because the response
 * to "create charge" contains it.
 *
 * @category decisions
 * @since 0.1.0
 */
export const webhookEventOf = (
  event: Pick<BillingEvent, "_tag"> & { readonly isReplacement?: boolean | undefined },
  transaction: Pick<TransactionState, "method"> & { readonly owner: Pick<TransactionState["owner"], "_tag"> }
): WebhookEvent | undefined => {
  const isAnnounced = transaction.owner._tag === "Subscription"
  const isAnnouncedAtOnce = isAnnounced && (transaction.method === "creditcard" || transaction.method === "outside")
  switch (event._tag) {
    case "TransactionAdded":
      return isAnnouncedAtOnce ? "subscription.addTransaction" : undefined
    case "TransactionRegistered":
      return isAnnounced && event.isReplacement !== true ? "subscription.addTransaction" : undefined
    case "TransactionStatusChanged":
      return "transaction.updateStatus"
    case "ChargebackOpened":
      return "chargeback.update"
    default:
      return undefined
  }
}
