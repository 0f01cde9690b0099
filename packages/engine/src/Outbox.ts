/**
 * Port: the deliveries that are to be made, written in the commit that caused them.
 *
 * @since 0.1.0
 */
import type { CompanyId } from "@parcela/core/CompanyState"
import type { EpochMillis } from "@parcela/core/EpochMillis"
import type { SvcPayId } from "@parcela/core/Identifier"
import type { WebhookEvent } from "@parcela/core/WebhookEvent"
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
  readonly event: WebhookEvent
  readonly transactionId: SvcPayId
  readonly payload: string
  readonly createdAt: EpochMillis
}

/**
 * @category models
 * @since 0.1.0
 */
export interface Delivery extends NewDelivery {
  /** The number that the receiver claims once: positive, rising. */
  readonly webhookId: number
  /** How many tries were made before this one. */
  readonly tries: number
}

/**
 * How a try ended: over, to be tried again at an instant, or given up.
 *
 * @category models
 * @since 0.1.0
 */
export type DeliveryResult =
  | { readonly _tag: "Delivered"; readonly at: EpochMillis }
  | { readonly _tag: "TryAgain"; readonly at: EpochMillis; readonly problem: string }
  | { readonly _tag: "GivenUp"; readonly at: EpochMillis; readonly problem: string }

/**
 * @category ports
 * @since 0.1.0
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    readonly append: (deliveries: ReadonlyArray<NewDelivery>) => Effect.Effect<void, StoreError>
    /**
     * Takes at most `limit` deliveries that are due and nobody's, by `webhookId`, until `claimedUntil`. Two callers
     * never get the same one; one whose claim ran out is due again.
     */
    readonly claimDue: (
      now: EpochMillis,
      claimedUntil: EpochMillis,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, StoreError>
    /** Takes note of a try. */
    readonly record: (webhookId: number, result: DeliveryResult) => Effect.Effect<void, StoreError>
  }
>()("@parcela/engine/Outbox") {}
