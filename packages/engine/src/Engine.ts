/**
 * The use cases as one layer, over ports that the composition provides.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import { PaymentAttempts } from "./attempts/PaymentAttempts.ts"
import { ProviderRequests } from "./attempts/ProviderRequests.ts"
import { Commands } from "./commands/Command.ts"
import { Deliveries } from "./usecases/Deliveries.ts"
import { DeliverySignal } from "./workers/DeliverySignal.ts"
import { DeliveryWorker } from "./workers/DeliveryWorker.ts"
import { EndpointManagement } from "./usecases/EndpointManagement.ts"
import { FailedLoginLimit } from "./authentication/FailedLoginLimit.ts"
import { Listings } from "./queries/Listings.ts"
import { Recovery } from "./workers/Recovery.ts"
import { Tokens } from "./authentication/Tokens.ts"
import { CardVaulting } from "./usecases/CardVaulting.ts"
import { ClockManagement } from "./usecases/ClockManagement.ts"
import { CardManagement } from "./usecases/CardManagement.ts"
import { CustomerManagement } from "./usecases/CustomerManagement.ts"
import { ChargeManagement } from "./usecases/ChargeManagement.ts"
import { ManualSubscriptions } from "./usecases/ManualSubscriptions.ts"
import { ExpirePayment } from "./usecases/ExpirePayment.ts"
import { FetchChargebacks } from "./usecases/FetchChargebacks.ts"
import { FetchPayments } from "./usecases/FetchPayments.ts"
import { Payments } from "./usecases/Payments.ts"
import { PlanManagement } from "./usecases/PlanManagement.ts"
import { PeriodicSubscriptions } from "./usecases/PeriodicSubscriptions.ts"
import { ReceiveChargebacks } from "./usecases/ReceiveChargebacks.ts"
import { ReceivePayments } from "./usecases/ReceivePayments.ts"
import { SubscriptionChanges } from "./usecases/SubscriptionChanges.ts"
import { SubscriptionEditing } from "./usecases/SubscriptionEditing.ts"
import { WebhookEditing } from "./usecases/WebhookEditing.ts"
import { DeliveryLane } from "./workers/DeliveryLane.ts"
import { DeliveryRecords } from "./workers/DeliveryRecords.ts"
import { DeliveryTries } from "./workers/DeliveryTries.ts"
import { DueWorker } from "./workers/DueWorker.ts"
import { LeaseOwner } from "./workers/LeaseOwner.ts"
import { WorkHandlers } from "./workers/WorkHandlers.ts"

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

const deliveries = DeliveryLane.layer.pipe(
  Layer.provide(DeliveryTries.layer.pipe(Layer.provide(DeliveryRecords.layer)))
)

const workers = Layer.mergeAll(ClockManagement.layer, DeliveryWorker.layer, Recovery.layer).pipe(
  Layer.provideMerge(DueWorker.layer),
  Layer.provide(Layer.mergeAll(WorkHandlers.layer, deliveries))
)

/**
 * Everything that a server needs of the engine: the use cases of a request, and the workers. What use cases write brings
 * the due work that follows from it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = workers.pipe(
  Layer.provideMerge(Layer.mergeAll(useCases, Tokens.layer.pipe(Layer.provide(FailedLoginLimit.layer)))),
  Layer.provideMerge(LeaseOwner.layer)
)
