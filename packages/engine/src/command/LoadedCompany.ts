/**
 * The loaded data of a company and its webhook endpoints, and the guard that all loads share.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ClockOffset } from "@parcela/core/time/Instant"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { DeliveryStanding } from "../ports/Outbox.ts"
import type { EndpointHealth } from "../ports/WebhookEndpoints.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * The data that every load returns: the company's id, clock offset, number of restores, version, and webhook endpoints.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyContext {
  readonly companyId: CompanyId
  readonly clock: ClockOffset
  /** Incremented when the company is restored or reset. A write that is based on an earlier number fails. */
  readonly restores: number
  /** Incremented when the clock, the endpoints or the company itself change. A write fails after such a change. */
  readonly version: number
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpointState, "id" | "events">>
}

/**
 * A webhook endpoint and its health.
 *
 * @category models
 * @since 0.1.0
 */
export interface KnownEndpoint {
  readonly state: WebhookEndpointState
  readonly health: EndpointHealth
}

/**
 * All endpoints of a company. The company is their aggregate root, because endpoints are few and change rarely.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointsContext extends CompanyContext {
  readonly guard: Guard
  /** Ordered by id. A deleted endpoint is included only if the load named its id. */
  readonly known: ReadonlyArray<KnownEndpoint>
  /** The id of the next new endpoint. */
  readonly nextId: number
}

/**
 * The data that a new replay of deliveries needs.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewReplayContext extends CompanyContext {
  /** The replay with the requested id, if it already exists. */
  readonly replay: WebhookReplay | undefined
  /** The highest delivery id of the company, or 0 without deliveries. */
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

/**
 * The version of an aggregate root. The store writes only if the row still has this version, then increments it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guard {
  readonly table: "charges" | "companies" | "customers" | "plans" | "subscriptions"
  readonly id: CompanyId | SvcPayId
  /** The `version` column of the loaded row. */
  readonly version: number
}
