/**
 * What every load brings.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { ClockOffset } from "@parcela/core/time/BusinessTime"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { DeliveryStanding } from "../ports/Outbox.ts"
import type { EndpointHealth } from "../ports/WebhookEndpoints.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"
import type { SvcPayId } from "@parcela/core/values/Identifier"

/**
 * What every load brings: the company, its clock, how often it was restored, and its endpoints, which deliveries go to.
 *
 * @category models
 * @since 0.1.0
 */
export interface CompanyContext {
  readonly companyId: CompanyId
  readonly clock: ClockOffset
  /** Rises when the company is restored or reset: nothing that rests on an earlier number is written. */
  readonly restores: number
  readonly endpoints: ReadonlyArray<Pick<WebhookEndpointState, "id" | "events">>
}

/**
 * An `Idempotency-Key` of a company with the fingerprint of the command that it came with.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyName {
  readonly companyId: CompanyId
  readonly key: string
  readonly fingerprint: string
}

/**
 * A response as it went out, without secrets.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * What is stored under a key: what its command wrote, and the response once it was known.
 *
 * @category models
 * @since 0.1.0
 */
export interface KeyRow {
  readonly fingerprint: string
  readonly subject: string
  readonly response: StoredResponse | undefined
}

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

/**
 * The entity whose version guards what is written below it: a write set is written only while the row has this version,
 * and raises it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Guard {
  readonly table: "charges" | "companies" | "customers" | "plans" | "subscriptions"
  readonly id: CompanyId | SvcPayId
  /** The `version` column of the row that was loaded. */
  readonly version: number
}
