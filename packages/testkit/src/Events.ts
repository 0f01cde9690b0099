/**
 * Events of a company's entities.
 *
 * @since 0.1.0
 */

/**
 * Event types that tests often wait for.
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
 * An event. Times are ISO 8601 in UTC.
 *
 * @category models
 * @since 0.1.0
 */
export interface SandboxEvent {
  readonly type: SandboxEventType
  /** Fields of the event: `{ transactionId: 4, from: "notSend", to: "captured" }`. */
  readonly data: Readonly<Record<string, unknown>>
  /** The entity of the event: `{ kind: "transaction", id: "4" }`. */
  readonly subject: { readonly kind: string; readonly id: string }
  /** The `myId` of a transaction, if it has one. */
  readonly myId?: string
  /** The new status of the entity, if it changed. */
  readonly status?: string
  /** Cents; for a transaction, its current value. */
  readonly value?: number
  /** By the sandbox's clock. */
  readonly at: string
  /** By the company's clock. */
  readonly businessAt: string
  /** `Client`, `Worker` or `Service`. */
  readonly actor?: string
  /** The job of the worker, such as `send payment`. */
  readonly work?: string
  /** `X-Request-Id` of the request that caused the event. */
  readonly requestId?: string
  /** Names of the fields of the subject that changed. */
  readonly changed: ReadonlyArray<string>
}

/**
 * Filter of a list of events.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventFilter {
  readonly type?: SandboxEventType | undefined
  /** Only events after this cursor: `eventsAfter` of an advance. */
  readonly after?: string | undefined
}

/**
 * Options of a wait.
 *
 * @category models
 * @since 0.1.0
 */
export interface WaitOptions<A> {
  /** Condition on the awaited value. By default any value. */
  readonly where?: ((one: A) => boolean) | undefined
  /** In milliseconds. The default is 5,000. */
  readonly timeout?: number | undefined
}

/**
 * A request that the sandbox received, without headers, query, body and field values.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReceivedRequest {
  readonly id: number
  /** Time at which the response ended. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Absent if the client disconnected before the response. */
  readonly status?: number
  readonly milliseconds: number
  readonly requestId: string
  readonly companyId?: number
  /** Unknown keys of its body, often misspelt fields. */
  readonly unknownKeys: ReadonlyArray<string>
  /** Invalid fields, as in `error.details`. */
  readonly faultyFields: ReadonlyArray<string>
}
