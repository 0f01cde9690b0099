/**
 * What loads bring of a company's webhook endpoints and deliveries.
 *
 * @since 0.1.0
 */
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { CompanyContext } from "./CompanyContext.ts"
import type { Guard } from "./Guard.ts"
import type { DeliveryStanding } from "../ports/Outbox.ts"
import type { EndpointHealth } from "../ports/WebhookEndpoints.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"

/**
 * An endpoint with how it fares.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownEndpoint {
  readonly state: WebhookEndpointState
  readonly health: EndpointHealth
}

/**
 * All endpoints of a company. Their root is the company: they are few, and rarely changed.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointsContext extends CompanyContext {
  readonly guard: Guard
  /** By number; one that was deleted only if it was asked for. */
  readonly known: ReadonlyArray<KnownEndpoint>
  /** The number of the next endpoint that is made. */
  readonly nextId: number
}

/**
 * What a new replay of deliveries rests on.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewReplayContext extends CompanyContext {
  /** The replay of that number, once it is there. */
  readonly replay: WebhookReplay | undefined
  /** The highest number of the company's deliveries; 0 when it has none. */
  readonly latestDelivery: number
}

/**
 * @category models
 * @since 0.1.0
 */
export interface DeliveryContext extends CompanyContext {
  readonly guard: Guard
  readonly delivery: DeliveryStanding | undefined
}
