/**
 * Port: the webhook deliveries, written in the same commit as the events that cause them.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/Instant"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * A new delivery. `payload` is the JSON text of the event's entities, without `confirmHash`.
 *
 * @category models
 * @since 0.1.0
 */
export interface NewDelivery {
  readonly companyId: CompanyId
  readonly endpointId: number
  readonly event: WebhookEvent
  readonly transactionId: SvcPayId
  readonly payload: string
  readonly createdAt: MachineTime
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Delivery extends NewDelivery {
  /** The positive, increasing number of the delivery. Receivers use it to detect duplicates. */
  readonly webhookId: number
  /** The number of earlier attempts. */
  readonly attempts: number
  /** The unique token of the lease. */
  readonly token: string
}

/**
 * The result of a delivery attempt: delivered, to be repeated at a time, or abandoned as a dead letter.
 *
 * @category models
 * @since 0.1.0
 */
export type DeliveryResult =
  | { readonly _tag: "Delivered"; readonly at: MachineTime }
  | { readonly _tag: "Retry"; readonly at: MachineTime; readonly problem: string }
  | { readonly _tag: "Abandoned"; readonly at: MachineTime; readonly problem: string }

/**
 * The record of one delivery attempt. `status` is undefined without a response.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryAttempt {
  readonly startedAt: MachineTime
  /** In milliseconds. */
  readonly duration: number
  readonly status: number | undefined
  readonly problem: string | undefined
}

/**
 * A finished delivery attempt with the lease under which it was made.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedAttempt extends Pick<Delivery, "webhookId" | "token"> {
  readonly result: DeliveryResult
  readonly made: DeliveryAttempt
}

/**
 * The state of a delivery: pending (waiting or in progress), accepted by the receiver, or abandoned as a dead letter.
 *
 * @category models
 * @since 0.1.0
 */
export type DeliveryState = "pending" | "delivered" | "abandoned"

/**
 * A delivery as listed. Its event may be unknown to this version.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryRecord {
  readonly webhookId: number
  readonly endpointId: number
  readonly event: string
  readonly transactionId: number
  readonly state: DeliveryState
  /** The number of attempts since the delivery was first due, or was replayed. */
  readonly attempts: number
  readonly createdAt: MachineTime
  /**
   * While `pending`: the time of the next attempt, or the end of the lease. Otherwise the time at which the delivery
   * ended.
   */
  readonly at: MachineTime
  /** The problem of the last attempt, or the reason for the abandonment. */
  readonly problem: string | undefined
}

/**
 * The filter of a list of deliveries. An absent field matches all deliveries.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly endpointId?: number | undefined
  readonly event?: string | undefined
  readonly transactionId?: number | undefined
  /** Created at or after this time. */
  readonly from?: MachineTime | undefined
  /** Created before this time. */
  readonly to?: MachineTime | undefined
}

/**
 * A position in the delivery queue of an endpoint, which is ordered by transaction and then by number.
 *
 * @category models
 * @since 0.1.0
 */
export interface QueueCursor {
  readonly transactionId: number
  readonly webhookId: number
}

/**
 * The delivery counts of an endpoint. Each count is limited to `maxCounted`.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointCounts {
  readonly waiting: number
  readonly dead: number
  /** The problem of a pending delivery that failed, otherwise of the latest dead letter. */
  readonly lastProblem: string | undefined
}

/**
 * Maximum value of a count.
 *
 * @category constants
 * @since 0.1.0
 */
export const maxCounted = 10_000

/**
 * The data of a delivery that a replay needs. Its aggregate root is the company, like that of its endpoint.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryStanding {
  readonly endpointId: number
  /** True if the delivery is finished, and its endpoint is enabled and subscribes to the event. */
  readonly mayBeReplayed: boolean
  /** Undefined for a finished delivery. */
  readonly pendingSince: MachineTime | undefined
}

/**
 * @category ports
 * @since 0.1.0
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /**
     * Leases at most `limit` due deliveries of an endpoint, longest due first.
     *
     * Deliveries of one transaction are leased one at a time. Their first attempts are in the order of `webhookId`. A
     * delivery that waits after a failed attempt does not block later deliveries. A delivery with an unreadable row is
     * abandoned.
     */
    readonly lease: (
      endpointId: number,
      request: {
        readonly owner: string
        readonly now: MachineTime
        readonly until: MachineTime
        readonly limit: number
      }
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>
    /**
     * Records delivery attempts and their results in one commit, at most one per delivery. Returns the recorded
     * numbers. An attempt whose lease was lost is not recorded.
     */
    readonly record: (ended: ReadonlyArray<EndedAttempt>) => Effect.Effect<ReadonlySet<number>, StoreError>
    /** Releases leases without an attempt. The deliveries are due again with their previous due time. */
    readonly release: (leases: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>) => Effect.Effect<void, StoreError>
    /** Abandons leased deliveries without an attempt. */
    readonly abandon: (
      leases: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>,
      now: MachineTime,
      problem: string
    ) => Effect.Effect<void, StoreError>
    /**
     * Checks the next `limit` pending deliveries of an endpoint, including leased ones. Abandons those to whose event
     * the endpoint does not subscribe.
     */
    readonly abandonUnwanted: (
      endpointId: number,
      request: {
        /** The end position of the previous page. Absent for the first page. */
        readonly after?: QueueCursor | undefined
        readonly limit: number
        readonly now: MachineTime
        readonly problem: string
      }
    ) => Effect.Effect<
      {
        readonly abandoned: number
        /** The end position of this page. Undefined after the last page. */
        readonly next: QueueCursor | undefined
      },
      StoreError
    >
    /** Returns the attempts of a company's delivery, oldest first. */
    readonly attempts: (
      companyId: CompanyId,
      webhookId: number
    ) => Effect.Effect<ReadonlyArray<DeliveryAttempt>, StoreError>
    /** Returns a company's deliveries with numbers below `before`, newest first. */
    readonly list: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** Returns a company's deliveries with numbers above `after`, oldest first. */
    readonly follow: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    readonly count: (endpointId: number) => Effect.Effect<EndpointCounts, StoreError>
  }
>()("@parcela/engine/ports/Outbox") {}
