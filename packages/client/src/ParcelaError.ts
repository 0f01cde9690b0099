/**
 * Why a call was rejected, and whether anything may have happened.
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
 * What every error of the client is an instance of.
 *
 * @category errors
 * @since 0.1.0
 */
export class ParcelaError extends Error {
  override readonly name: string = "ParcelaError"
}

/**
 * The request was not sent: it does not fit the interface, and `details` says where.
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
 * The service refused: its status code and its error node. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class ApiError extends ParcelaError {
  override readonly name = "ApiError"
  readonly status: number
  readonly details: ErrorDetails
  /** Seconds to wait, where the service says so. */
  readonly retryAfter: number | undefined
  /** Give it to the operator of the service. */
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
 * The service was not reached, or gave no response to a request that changes nothing. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class ConnectionError extends ParcelaError {
  override readonly name = "ConnectionError"
}

/**
 * A write was sent and there is no response that settles it. It may have happened. **Never take this for a failure:**
 * repeat the write with the same `idempotencyKey`, which does it at most once and brings its response.
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
 * There was a response and it cannot be understood. With a `status` of 200 a write did happen, under `idempotencyKey`.
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

  /** The body as it came. It may hold personal data and secrets, so that printing the error does not print it. */
  body(): string {
    return this.#body
  }
}
