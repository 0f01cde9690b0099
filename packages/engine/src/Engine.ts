/**
 * The use cases as one layer, over ports that the composition provides.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import { AttemptRunner } from "./AttemptRunner.ts"
import { Cardholding } from "./Cardholding.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliverySignal } from "./DeliverySignal.ts"
import { DeliveryWorker } from "./DeliveryWorker.ts"
import { EndpointManagement } from "./EndpointManagement.ts"
import { GuessLimit } from "./GuessLimit.ts"
import { Listings } from "./Listings.ts"
import { ManualSubscriptions } from "./ManualSubscriptions.ts"
import { Payments } from "./Payments.ts"
import { Recorder } from "./Recorder.ts"
import { Sweeper } from "./Sweeper.ts"
import { Tokens } from "./Tokens.ts"
import { WebhookEditing } from "./WebhookEditing.ts"
import { DeliveryLane } from "./workers/DeliveryLane.ts"
import { DueWorker } from "./workers/DueWorker.ts"
import { LeaseOwner } from "./workers/LeaseOwner.ts"
import * as ScheduledWrites from "./workers/ScheduledWrites.ts"
import { WorkHandlers } from "./workers/WorkHandlers.ts"

const shared = Layer.mergeAll(Recorder.layer, Cardholding.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Listings.layer, DeliverySignal.layer))
)

const useCases = Layer.mergeAll(
  ManualSubscriptions.layer,
  Payments.layer,
  WebhookEditing.layer,
  EndpointManagement.layer,
  Deliveries.layer
).pipe(Layer.provideMerge(AttemptRunner.layer), Layer.provideMerge(shared))

const workers = Layer.mergeAll(Sweeper.layer, DeliveryWorker.layer).pipe(
  Layer.provideMerge(DueWorker.layer),
  Layer.provide(Layer.mergeAll(WorkHandlers.layer, DeliveryLane.layer))
)

/**
 * Everything that a server needs of the engine: the use cases of a request, and the workers. What use cases write brings
 * the due work that follows from it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerNoDeps = workers.pipe(
  Layer.provideMerge(Layer.mergeAll(useCases, Tokens.layer.pipe(Layer.provide(GuessLimit.layer)))),
  Layer.provide(ScheduledWrites.layer),
  Layer.provideMerge(LeaseOwner.layer)
)
