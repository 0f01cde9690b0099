/**
 * The errors of rejected calls. The class tells the caller whether the operation may have happened.
 *
 * @since 0.1.0
 */

/**
 * Problems by `Entity.field`: `{ "Transaction.value": ["must be at least one cent"] }`.
 *
 * @category models
 * @since 0.1.0
 */
export type ErrorDetails = Readonly<Record<string, ReadonlyArray<string>>>

/**
 * The base class of the client's errors.
 *
 * @category errors
 * @since 0.1.0
 */
export class ParcelaError extends Error {
  override readonly name: string = "ParcelaError"
}

/**
 * The request does not fit the interface, and the client did not send it. `details` lists the problems.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidRequestError extends ParcelaError {
  override readonly name = "InvalidRequestError"
  readonly details: ErrorDetails

  constructor(message: string, details: ErrorDetails) {
    super(message)
    this.details = details
  }
}

/**
 * The service refused the request. Nothing has happened. The error has the status code and the error node.
 *
 * @category errors
 * @since 0.1.0
 */
export class ApiError extends ParcelaError {
  override readonly name = "ApiError"
  readonly status: number
  readonly details: ErrorDetails
  /** Seconds to wait before a retry, if the service sent them. */
  readonly retryAfter: number | undefined
  /** The id by which the operator of the service finds the request. */
  readonly requestId: string | undefined

  constructor(
    message: string,
    given: {
      readonly status: number
      readonly details?: ErrorDetails
      readonly retryAfter?: number
      readonly requestId?: string
    }
  ) {
    super(message)
    this.status = given.status
    this.details = given.details ?? {}
    this.retryAfter = given.retryAfter
    this.requestId = given.requestId
  }
}

/**
 * The client did not reach the service, or received no response to a read. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class ConnectionError extends ParcelaError {
  override readonly name = "ConnectionError"
}

/**
 * The client sent a write and received no conclusive response. The write may have happened. **This is not a failure:**
 * repeat the write with the same `idempotencyKey`. The service executes the write at most once and returns its response.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnknownOutcomeError extends ParcelaError {
  override readonly name = "UnknownOutcomeError"
  readonly operation: string
  readonly idempotencyKey: string
  readonly attempts: number
  readonly requestId: string | undefined

  constructor(
    message: string,
    given: {
      readonly operation: string
      readonly idempotencyKey: string
      readonly attempts: number
      readonly requestId?: string
    }
  ) {
    super(message)
    this.operation = given.operation
    this.idempotencyKey = given.idempotencyKey
    this.attempts = given.attempts
    this.requestId = given.requestId
  }
}

/**
 * The client could not decode the response. With a `status` of 200 the write has happened, under `idempotencyKey`.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnreadableResponseError extends ParcelaError {
  override readonly name = "UnreadableResponseError"
  readonly status: number
  /** Absent for a read. */
  readonly idempotencyKey: string | undefined
  readonly requestId: string | undefined
  readonly #body: string

  constructor(
    message: string,
    given: {
      readonly status: number
      readonly body: string
      readonly idempotencyKey?: string
      readonly requestId?: string
    }
  ) {
    super(message)
    this.status = given.status
    this.idempotencyKey = given.idempotencyKey
    this.requestId = given.requestId
    this.#body = given.body
  }

  /** Returns the received body. It may contain personal data and secrets, so printing the error does not show it. */
  body(): string {
    return this.#body
  }
}
