/**
 * Deliveries of webhooks, and a receiver for them inside a test.
 *
 * @since 0.1.0
 */
import type { WaitOptions } from "./Events.ts"

/**
 * The events that can be delivered.
 *
 * @category models
 * @since 0.1.0
 */
export type WebhookEvent =
  | "transaction.updateStatus"
  | "subscription.addTransaction"
  | "company.cashOut"
  | "company.verifyDocuments"
  | "chargeback.update"
  | "company.internalTransfer"

/**
 * A delivery as the sandbox keeps it, without its body. Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delivery {
  readonly webhookId: number
  readonly endpointId?: number
  readonly event: string
  readonly transactionId: number
  /** The identifier that your program gave that transaction. */
  readonly transactionMyId?: string
  readonly state: "pending" | "delivered" | "given_up"
  readonly tries: number
  readonly createdAt: string
  /** When it is tried next, while it is pending; else when it ended. */
  readonly at: string
  /** Why the last try failed. */
  readonly problem?: string
}

/**
 * @category models
 * @since 0.1.0
 */
export interface DeliveryFilter {
  readonly event?: WebhookEvent | undefined
  readonly state?: Delivery["state"] | undefined
  readonly endpointId?: number | undefined
  /** Of this transaction, by the service's own identifier. */
  readonly transactionId?: number | undefined
}

/**
 * Where deliveries go, with the secret that they are signed with.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookEndpoint {
  readonly endpointId: number
  readonly url: string
  readonly events: ReadonlyArray<string>
  /** `whsec_..` */
  readonly secret: string
}

/**
 * An entity of a delivery: the keys that a test looks at first, and all others.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveredEntity {
  readonly svcPayId?: number
  readonly myId?: string
  readonly status?: string
  /** Cents. */
  readonly value?: number
  readonly [key: string]: unknown
}

/**
 * The body of a delivery as it came. In a sandbox of another `naming` its keys have that name.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookBody {
  readonly event: string
  readonly webhookId: number
  readonly confirmHash: string
  readonly Transaction?: DeliveredEntity
  readonly Subscription?: DeliveredEntity
  readonly Charge?: DeliveredEntity
  readonly [key: string]: unknown
}

/**
 * A delivery that came with the right signature.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedWebhook {
  readonly event: string
  readonly webhookId: number
  readonly body: WebhookBody
  /** The body as it was signed, to hand it to a handler of your own. */
  readonly text: string
  /** Names in lower case: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface ReceiverOptions {
  /** Which events are delivered to it: `transaction.updateStatus` and `subscription.addTransaction` when absent. */
  readonly events?: ReadonlyArray<WebhookEvent> | undefined
  /**
   * The HTTP status that each delivery is responded to with: 200 when absent. After another one the sandbox tries again
   * by its own schedule, the first time after 30 seconds.
   */
  readonly respond?: ((webhook: ReceivedWebhook) => number | Promise<number>) | undefined
}

/**
 * An endpoint of the company inside the test. It responds with 401 to what is not signed by the sandbox.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookReceiver extends WebhookEndpoint {
  /** All that came, in the order in which it came. */
  readonly received: ReadonlyArray<ReceivedWebhook>
  /** The next delivery of an event that was not returned before, as soon as it is there. */
  readonly next: (event?: WebhookEvent, options?: WaitOptions<ReceivedWebhook>) => Promise<ReceivedWebhook>
  /** Ends it and deletes the endpoint. The sandbox's `close()` does so too. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}
