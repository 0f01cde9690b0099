/**
 * Port: the deliveries that are to be made, written in the commit that caused them.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/companies/CompanyState"
import type { MachineTime } from "@parcela/core/time/MachineTime"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { WebhookEvent } from "@parcela/core/webhooks/WebhookEvent"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "./StoreError.ts"

/**
 * A delivery to come. `payload` is the JSON text of the event's entities, without `confirmHash`.
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
  /** The number that the receiver processes once: positive, rising. */
  readonly webhookId: number
  /** How many tries were made before this one. */
  readonly tries: number
  /** Names the lease: no two leases have the same. */
  readonly token: string
}

/**
 * How a try ended: over, to be tried again at an instant, or given up, which makes it a dead letter.
 *
 * @category models
 * @since 0.1.0
 */
export type DeliveryResult =
  | { readonly _tag: "Delivered"; readonly at: MachineTime }
  | { readonly _tag: "TryAgain"; readonly at: MachineTime; readonly problem: string }
  | { readonly _tag: "GivenUp"; readonly at: MachineTime; readonly problem: string }

/**
 * One try, to find the reason of a failure. `status` is absent when there was no response.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryTry {
  readonly startedAt: MachineTime
  /** In milliseconds. */
  readonly duration: number
  readonly status: number | undefined
  readonly problem: string | undefined
}

/**
 * A try that has ended, under the lease that it was made with.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndedTry extends Pick<Delivery, "webhookId" | "token"> {
  readonly result: DeliveryResult
  readonly made: DeliveryTry
}

/**
 * Where a delivery stands: to be made (it may wait, or be on its way), accepted by the receiver, or a dead letter.
 *
 * @category models
 * @since 0.1.0
 */
export type DeliveryState = "pending" | "delivered" | "given_up"

/**
 * A delivery as it is shown. Its event may be one that this version does not know.
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
  /** How many tries were made since it was made due for the first time, or replayed. */
  readonly tries: number
  readonly createdAt: MachineTime
  /** When it is tried next, or when the lease of a try ends, while it is `pending`; else when it ended. */
  readonly at: MachineTime
  /** Why the last try failed, or why it was given up. */
  readonly problem: string | undefined
}

/**
 * Which deliveries of a company; what is absent does not narrow.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly endpointId?: number | undefined
  readonly event?: string | undefined
  readonly transactionId?: number | undefined
  /** Made at this instant or after it. */
  readonly from?: MachineTime | undefined
  /** Made before this instant. */
  readonly to?: MachineTime | undefined
}

/**
 * A place among the deliveries of an endpoint, which lie by transaction and then by number.
 *
 * @category models
 * @since 0.1.0
 */
export interface LaneCursor {
  readonly transactionId: number
  readonly webhookId: number
}

/**
 * How much there is of an endpoint; each number counts to `mostCounted` and no further.
 *
 * @category models
 * @since 0.1.0
 */
export interface EndpointCounts {
  readonly waiting: number
  readonly dead: number
  /** Of a delivery that failed and waits, else of the latest dead letter. */
  readonly lastProblem: string | undefined
}

/**
 * A count of more is returned as this.
 *
 * @category constants
 * @since 0.1.0
 */
export const mostCounted = 10_000

/**
 * A delivery that has an endpoint, as a replay of it looks at it. Its root is the company, as its endpoint's is.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryStanding {
  readonly endpointId: number
  /** It is over, and its endpoint is on and wants its event. */
  readonly mayBeReplayed: boolean
  /** While it is not over. */
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
     * Leases at most `limit` deliveries of an endpoint that are due, longest due first. Of a transaction it leases one at
     * a time, and the first tries of a transaction in the order of `webhookId`; one that waits after a failed try holds
     * no later one back. A row that cannot be read is given up.
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
     * Records tries and what follows, all in one commit: of each delivery one at most. Returns the numbers of those that it
     * recorded: of one whose lease was lost nothing is.
     */
    readonly record: (ended: ReadonlyArray<EndedTry>) => Effect.Effect<ReadonlySet<number>, StoreError>
    /** Ends leases without a try: what was leased is due as it was when that happened. */
    readonly giveBack: (leases: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>) => Effect.Effect<void, StoreError>
    /** Gives up deliveries that are leased, without a try. */
    readonly giveUp: (
      leases: ReadonlyArray<Pick<Delivery, "webhookId" | "token">>,
      now: MachineTime,
      problem: string
    ) => Effect.Effect<void, StoreError>
    /**
     * Looks at the next `limit` deliveries that wait for an endpoint, leased ones too, and gives up those whose event it
     * has not switched on.
     */
    readonly giveUpUnwanted: (
      endpointId: number,
      request: {
        /** Where the last look ended; absent for the first one. */
        readonly after?: LaneCursor | undefined
        readonly limit: number
        readonly now: MachineTime
        readonly problem: string
      }
    ) => Effect.Effect<
      {
        readonly givenUp: number
        /** Where this look ended; absent when there are no more. */
        readonly next: LaneCursor | undefined
      },
      StoreError
    >
    /** The tries of a delivery of a company, first one first. */
    readonly tries: (companyId: CompanyId, webhookId: number) => Effect.Effect<ReadonlyArray<DeliveryTry>, StoreError>
    /** Deliveries of a company below the number `before`, newest first. */
    readonly list: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      before: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    /** Deliveries of a company above the number `after`, oldest first. */
    readonly follow: (
      companyId: CompanyId,
      filter: DeliveryFilter,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, StoreError>
    readonly count: (endpointId: number) => Effect.Effect<EndpointCounts, StoreError>
  }
>()("@parcela/engine/ports/Outbox") {}
