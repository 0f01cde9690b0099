/**
 * The layer of all use cases and workers. The composition provides the ports.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import { PaymentAttempts } from "./payments/PaymentAttempts.ts"
import { ProviderRequests } from "./payments/ProviderRequests.ts"
import { Commands } from "./command/Command.ts"
import { Deliveries } from "./webhooks/Replays.ts"
import { DeliverySignal } from "./ports/DeliverySignal.ts"
import { DeliveryQueues } from "./webhooks/DeliveryQueues.ts"
import { DeliveryWorker } from "./webhooks/DeliveryWorker.ts"
import { EndpointManagement } from "./webhooks/Endpoints.ts"
import { FailedLoginLimit } from "./authentication/FailedLoginLimit.ts"
import { Listings } from "./queries/Listings.ts"
import { Recovery } from "./work/Recovery.ts"
import { Tokens } from "./authentication/Tokens.ts"
import { CardVaulting } from "./cards/CardVaulting.ts"
import { ClockManagement } from "./clock/Clocks.ts"
import { CardManagement } from "./cards/Cards.ts"
import { CustomerManagement } from "./customers/Customers.ts"
import { ChargeManagement } from "./charges/Charges.ts"
import { ManualSubscriptions } from "./subscriptions/ManualSubscriptions.ts"
import { ExpirePayment } from "./payments/ExpirePayment.ts"
import { FetchChargebacks, FetchPayments } from "./payments/FetchReports.ts"
import { ReceiveChargebacks, ReceivePayments } from "./payments/IncomingPayments.ts"
import { Payments } from "./payments/Payments.ts"
import { PlanManagement } from "./plans/Plans.ts"
import { PeriodicSubscriptions } from "./subscriptions/PeriodicSubscriptions.ts"
import { SubscriptionChanges, SubscriptionEditing } from "./subscriptions/SubscriptionEditing.ts"
import { WebhookEditing } from "./webhooks/EndpointChanges.ts"
import { DueWorker } from "./work/DueWorker.ts"
import { LeaseOwner } from "./command/LeaseOwner.ts"
import { WorkHandlers } from "./work/WorkHandlers.ts"

const commands = Commands.layer.pipe(Layer.provideMerge(DeliverySignal.layer))

const useCases = Layer.mergeAll(
  ChargeManagement.layer,
  ManualSubscriptions.layer,
  Payments.layer,
  CardManagement.layer,
  CustomerManagement.layer,
  PlanManagement.layer,
  PeriodicSubscriptions.layer,
  ExpirePayment.layer.pipe(
    Layer.provideMerge(FetchPayments.layer),
    Layer.provideMerge(FetchChargebacks.layer.pipe(Layer.provideMerge(ReceiveChargebacks.layer))),
    Layer.provideMerge(ReceivePayments.layer)
  ),
  SubscriptionChanges.layer,
  SubscriptionEditing.layer,
  WebhookEditing.layer,
  EndpointManagement.layer,
  Deliveries.layer
).pipe(
  Layer.provideMerge(PaymentAttempts.layer.pipe(Layer.provide(ProviderRequests.layer))),
  Layer.provideMerge(Layer.mergeAll(Listings.layer, CardVaulting.layer)),
  Layer.provideMerge(commands)
)

const workers = Layer.mergeAll(ClockManagement.layer, DeliveryWorker.layer, Recovery.layer).pipe(
  Layer.provideMerge(DueWorker.layer),
  Layer.provide(Layer.mergeAll(WorkHandlers.layer, DeliveryQueues.layer))
)

/**
 * The use cases and workers of a server.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = workers.pipe(
  Layer.provideMerge(Layer.mergeAll(useCases, Tokens.layer.pipe(Layer.provide(FailedLoginLimit.layer)))),
  Layer.provideMerge(LeaseOwner.layer)
)
