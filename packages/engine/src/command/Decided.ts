/**
 * The decision of a use case: changed rows, events, attempts and jobs, or a refusal.
 *
 * @since 0.1.0
 */
import type { Attempt } from "@parcela/core/attempts/Attempt"
import type { BillingError } from "@parcela/core/errors/BillingError"
import type { CardState } from "@parcela/core/cards/CardDecider"
import type { ChargeState } from "@parcela/core/charges/ChargeState"
import type { CustomerState } from "@parcela/core/customers/CustomerState"
import type { PlanState } from "@parcela/core/plans/PlanDecider"
import type { SubscriptionState } from "@parcela/core/subscriptions/SubscriptionState"
import type { TransactionState } from "@parcela/core/transactions/TransactionState"
import type { SvcPayId } from "@parcela/core/values/Identifier"
import type { BillingEvent } from "@parcela/core/webhooks/BillingEvent"
import type { WebhookEndpointState } from "@parcela/core/webhooks/WebhookEndpointState"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { Guard } from "./LoadedCompany.ts"
import type { NewWork, WorkName } from "../ports/DueWork.ts"
import type { WebhookReplay } from "../ports/WebhookReplays.ts"
import type { PaymentSnapshot } from "../queries/Views.ts"

/**
 * A new or changed row. A row below an aggregate root has no version of its own, because the root's guard protects it.
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
      /** Stored with the transaction for lists of a customer's payments. */
      readonly customerId: SvcPayId
    }
  | {
      readonly table: "webhook_endpoints"
      readonly before?: WebhookEndpointState | undefined
      readonly next: WebhookEndpointState
      /** Resets the failure history of the endpoint. */
      readonly recovers?: boolean
    }
  | { readonly table: "webhook_replays"; readonly before?: undefined; readonly next: WebhookReplay }

/**
 * The decision of a use case. The write set derives journal entries, deliveries and most jobs from this value.
 *
 * @category models
 * @since 0.1.0
 */
export interface Decided<A> {
  readonly value: A
  /** The versions of the aggregate roots that the decision read. */
  readonly guards: ReadonlyArray<Guard>
  readonly changes: ReadonlyArray<Change>
  /** Attempts to insert. */
  readonly started?: ReadonlyArray<Attempt>
  readonly settled?: ReadonlyArray<Attempt>
  readonly events: ReadonlyArray<BillingEvent>
  /** The `webhookId`s of finished deliveries to send again. */
  readonly replayed?: ReadonlyArray<number>
  /** Jobs that do not follow from the changes. */
  readonly schedule?: ReadonlyArray<NewWork>
  readonly cancel?: ReadonlyArray<WorkName>
  /** The payload data of deliveries, one per transaction with events. Events without a delivery need no data. */
  readonly snapshots?: PaymentSnapshot | ReadonlyArray<PaymentSnapshot>
  /**
   * The entity that was written or joined, stored under the key for repeats. Without a subject the key is not stored.
   */
  readonly subject?: string
}

/**
 * Returns a decision without writes, for a request whose result already exists.
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

/**
 * The refusals of a decision. `Decision` is a refusal, a `Result`, an `Effect`, or a function that returns one of
 * these. A union yields the refusals of all members.
 *
 * **Details**
 *
 * A use case declares its decisions instead of listing their refusals. A new refusal of a decision therefore appears in
 * the type of each use case that calls the decision. A call of an undeclared decision does not compile. For a generic
 * decision, name its instantiated type: the type parameter itself yields no refusal.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalsOf<Decision> = Decision extends (...args: never) => infer Made
  ? RefusalsOf<Made>
  : Decision extends BillingError
    ? Decision
    : Decision extends Result.Result<unknown, infer Refusal> | Effect.Effect<unknown, infer Refusal, unknown>
      ? Extract<Refusal, BillingError>
      : never
