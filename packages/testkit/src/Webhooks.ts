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
 * A delivery without its body. Times are ISO 8601 in UTC.
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
  readonly state: "pending" | "delivered" | "abandoned"
  readonly attempts: number
  readonly createdAt: string
  /** Time of the next attempt of a pending delivery, or time of its end. */
  readonly at: string
  /** The problem of the last failed attempt. */
  readonly problem?: string
}

/**
 * Filter of a list of deliveries.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeliveryFilter {
  readonly event?: WebhookEvent | undefined
  readonly state?: Delivery["state"] | undefined
  readonly endpointId?: number | undefined
  /** Only deliveries of this transaction, by the service's identifier. */
  readonly transactionId?: number | undefined
}

/**
 * An endpoint, with the secret that signs its deliveries.
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
 * An entity of a delivery: common keys, and all others.
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
 * The unchanged body of a delivery. Its keys follow the naming profile of the sandbox.
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
 * A received delivery with a valid signature.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedWebhook {
  readonly event: string
  readonly webhookId: number
  readonly body: WebhookBody
  /** The signed body, for a handler of your own. */
  readonly text: string
  /** Names in lower case: `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Options of a receiver.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceiverOptions {
  /** Events that are delivered to it. The default is `transaction.updateStatus` and `subscription.addTransaction`. */
  readonly events?: ReadonlyArray<WebhookEvent> | undefined
  /**
   * Returns the HTTP status of the response to a delivery. The default is 200. After another status the sandbox repeats
   * the delivery by its schedule, for the first time after 30 seconds.
   */
  readonly respond?: ((webhook: ReceivedWebhook) => number | Promise<number>) | undefined
}

/**
 * An endpoint of the company inside the test. It responds with 401 to requests that the sandbox did not sign.
 *
 * @category models
 * @since 0.1.0
 */
export interface WebhookReceiver extends WebhookEndpoint {
  /** All received deliveries, in their order. */
  readonly received: ReadonlyArray<ReceivedWebhook>
  /** Waits for the next delivery of an event that it has not returned before. */
  readonly next: (event?: WebhookEvent, options?: WaitOptions<ReceivedWebhook>) => Promise<ReceivedWebhook>
  /** Stops the receiver and deletes the endpoint. The sandbox's `close()` does so too. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}
