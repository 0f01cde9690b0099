/**
 * What a use case decides.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { CardState } from "@parcela/core/cards/CardState"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { PlanState } from "@parcela/core/plans/PlanState"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type { Guard } from "./LoadedCompany.ts"
import type { NewWork, WorkName } from "../ports/DueWork.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"
import type { Shown } from "../queries/Views.ts"

/**
 * A row that is new, or one that changed. A row below a root needs no version of its own: the root's guard covers it.
 *
 * @category models
 * @since 0.1.0
 */
export type Change =
  | { readonly table: "cards"; readonly before?: CardState | undefined; readonly next: CardState }
  | { readonly table: "charges"; readonly before?: ChargeState | undefined; readonly next: ChargeState }
  | { readonly table: "customers"; readonly before?: CustomerState | undefined; readonly next: CustomerState }
  | { readonly table: "plans"; readonly before?: PlanState | undefined; readonly next: PlanState }
  | {
      readonly table: "subscriptions"
      readonly before?: SubscriptionState | undefined
      readonly next: SubscriptionState
    }
  | {
      readonly table: "transactions"
      readonly before?: TransactionState | undefined
      readonly next: TransactionState
      /** So that payments are found by their customer. */
      readonly customerId: SvcPayId
    }
  | {
      readonly table: "webhook_endpoints"
      readonly before?: WebhookEndpointState | undefined
      readonly next: WebhookEndpointState
      /** Ends a time of failures. */
      readonly recovers?: boolean
    }
  | { readonly table: "webhook_replays"; readonly before?: undefined; readonly next: WebhookReplay }

/**
 * What a use case decided: what only it knows. The rest of the write set follows from it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decided<A> {
  readonly value: A
  /** The roots that the decision rests on. */
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  /** Attempts that begin, and attempts that ended. */
  readonly begun?: ReadonlyArray<Attempt>
  readonly settled?: ReadonlyArray<Attempt>
  readonly events: ReadonlyArray<BillingEvent>
  /** Deliveries that were over and are due again, by `webhookId`. */
  readonly replayed?: ReadonlyArray<number>
  /** Due work that does not follow from the changes. */
  readonly schedule?: ReadonlyArray<NewWork>
  readonly cancel?: ReadonlyArray<WorkName>
  /** What deliveries carry, for each transaction that events are about; events without a delivery need none. */
  readonly shown?: Shown | ReadonlyArray<Shown>
  /** Names what was written or joined, for a repeat under the same key. Without it the key stays free. */
  readonly subject?: string
}

/**
 * What a decision comes to that finds all as it is to be.
 *
 * @category constructors
 * @since 0.1.0
 */
export const nothingToWrite = <A>(value: A, subject?: string): Decided<A> => ({
  value,
  guards: [],
  changes: [],
  events: [],
  ...(subject === undefined ? {} : { subject })
})
