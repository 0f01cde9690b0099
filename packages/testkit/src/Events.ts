/**
 * What happened to a company's things.
 *
 * @since 0.1.0
 */

/**
 * The events that tests wait for most.
 *
 * @category models
 * @since 0.1.0
 */
export type CommonEventType =
  | "CustomerCreated"
  | "SubscriptionCreated"
  | "SubscriptionEdited"
  | "SubscriptionStatusChanged"
  | "ChargeCreated"
  | "ChargeEdited"
  | "ChargeStatusChanged"
  | "TransactionAdded"
  | "TransactionEdited"
  | "TransactionSent"
  | "TransactionRegistered"
  | "TransactionStatusChanged"
  | "TransactionReversed"
  | "TransactionSettled"
  | "OperatorResponded"
  | "ProviderDenied"

/**
 * The type of an event: one of the common ones, or any other that `events()` shows.
 *
 * @category models
 * @since 0.1.0
 */
export type SandboxEventType = CommonEventType | (string & {})

/**
 * One event. Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxEvent {
  readonly type: SandboxEventType
  /** What the event says: `{ transactionId: 4, from: "notSend", to: "captured" }`. */
  readonly data: Readonly<Record<string, unknown>>
  /** The thing that it happened to: `{ kind: "transaction", id: "4" }`. */
  readonly subject: { readonly kind: string; readonly id: string }
  /** Of a transaction, where it has one. */
  readonly myId?: string
  /** The status that the thing has from then on, where that changed. */
  readonly status?: string
  /** Cents; for a transaction, its current value. */
  readonly value?: number
  /** By the sandbox's clock. */
  readonly at: string
  /** By the company's clock. */
  readonly businessAt: string
  /** `Client`, `Worker` or `Service`. */
  readonly actor?: string
  /** The worker's kind of work, such as `send payment`. */
  readonly work?: string
  /** `X-Request-Id` of the request that it happened in. */
  readonly requestId?: string
  /** Names of the fields of the subject that changed. */
  readonly changed: ReadonlyArray<string>
}

/**
 * @category models
 * @since 0.1.0
 */
export interface EventFilter {
  readonly type?: SandboxEventType | undefined
  /** Only what comes after this place: `eventsAfter` of an advance. */
  readonly after?: string | undefined
}

/**
 * How something is waited for.
 *
 * @category models
 * @since 0.1.0
 */
export interface WaitOptions<A> {
  /** Which one is meant; any when absent. */
  readonly where?: ((one: A) => boolean) | undefined
  /** In milliseconds: 5,000 when absent. */
  readonly timeout?: number | undefined
}

/**
 * A request that the sandbox responded to. No header, no query, no body and no value of a field is in it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedRequest {
  readonly id: number
  /** When the response ended. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Absent when the client hung up before the response. */
  readonly status?: number
  readonly milliseconds: number
  readonly requestId: string
  readonly companyId?: number
  /** Keys of its body that nothing reads: often a misspelt field. */
  readonly unknownKeys: ReadonlyArray<string>
  /** Fields with a fault, as `error.details` names them. */
  readonly faultyFields: ReadonlyArray<string>
}
