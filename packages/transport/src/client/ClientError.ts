/**
 * Errors of client calls. Each error tells the caller whether the operation may have happened.
 *
 * @since 0.1.0
 */
import { ErrorDetails } from "@parcela/core/errors/ErrorDetails"
import * as Schema from "effect/Schema"

/**
 * Returns problems by `Entity.field` in one line: `Transaction.value: at least one cent; Transaction.myId: is
 * required`.
 */
const inOneLine = (details: ErrorDetails | undefined): string =>
  Object.entries(details ?? {})
    .map(([field, problems]) => `${field}: ${problems.join(", ")}`)
    .join("; ")

/** Appends the problems unless the message already ends with them. */
const withDetails = (message: string, details: ErrorDetails | undefined): string => {
  const problems = inOneLine(details)
  return message.endsWith(problems) ? message : `${message} (${problems})`
}

/** `X-Request-Id` of the response, for the operator of the service. */
const requestId = Schema.optionalKey(Schema.String)

/**
 * The request was not sent: it does not fit the interface, and `details` lists the problems.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", { details: ErrorDetails }) {
  override get message(): string {
    return withDetails("The request does not fit the interface and was not sent", this.details)
  }
}

/**
 * The service refused the request: its status code and error node. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class ApiFailure extends Schema.TaggedError<ApiFailure>()("ApiFailure", {
  status: Schema.Int,
  /** `error.message` from the service. */
  serverMessage: Schema.String,
  details: Schema.optionalKey(ErrorDetails),
  /** Seconds to wait, if the service sent `Retry-After`. */
  retryAfter: Schema.optionalKey(Schema.Finite),
  requestId
}) {
  override get message(): string {
    const wait = this.retryAfter === undefined ? "" : ` Try again in ${this.retryAfter} s.`
    return `${withDetails(`The service responded with ${this.status}: ${this.serverMessage}`, this.details)}${wait}`
  }
}

/**
 * Returns the failure with renamed fields (`name`) and sentences (`sentence`), for another naming profile.
 *
 * @category conversions
 * @since 0.1.0
 */
export const inNames = <E>(failure: E, name: (field: string) => string, sentence: (text: string) => string): E => {
  const renamed = (details: ErrorDetails): ErrorDetails =>
    Object.fromEntries(Object.entries(details).map(([field, problems]) => [name(field), problems.map(sentence)]))
  if (failure instanceof InvalidRequest) {
    // The new instance has the same class as the failure.
    return new InvalidRequest({ details: renamed(failure.details) }) as E & InvalidRequest
  }
  if (!(failure instanceof ApiFailure)) return failure
  const details = failure.details === undefined ? {} : { details: renamed(failure.details) }
  // The new instance has the same class as the failure.
  return new ApiFailure({ ...failure, serverMessage: sentence(failure.serverMessage), ...details }) as E & ApiFailure
}

/**
 * The service was not reached, or did not respond to a read. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  baseUrl: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `No response from ${this.baseUrl}: ${this.reason.replace(/\.$/u, "")}. Check the base URL, and that the service is running.`
  }
}

/**
 * A write was sent and its outcome is unknown: the response was lost, the service does not know the outcome either
 * (504), or the caller interrupted the write. The write may have happened. **Never treat this error as a failure:**
 * repeat the write with the same `idempotencyKey`. The service performs it at most once and returns its response.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnknownOutcome extends Schema.TaggedError<UnknownOutcome>()("UnknownOutcome", {
  operation: Schema.String,
  idempotencyKey: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
  /** The request id of the last response, if there was one. */
  requestId
}) {
  override get message(): string {
    return (
      `${this.operation} may or may not have happened (${this.attempts} ${this.attempts === 1 ? "attempt" : "attempts"}): ` +
      `${this.reason}. Repeat it with the same Idempotency-Key, "${this.idempotencyKey}": the service executes it at most once.`
    )
  }
}

/**
 * A write without an idempotency key was sent, and its response was lost or reports an unknown outcome (500, 502, 504). The
 * write may have happened: read the current state before sending it again.
 *
 * @category errors
 * @since 0.1.0
 */
export class ResponseLost extends Schema.TaggedError<ResponseLost>()("ResponseLost", {
  operation: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.operation} may or may not have happened: ${this.reason}. Read the current state before you repeat it`
  }
}

/**
 * A response that the client could not decode. With a `status` of 200 a write did happen, under `idempotencyKey`.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  status: Schema.Int,
  reason: Schema.String,
  /** Absent for a read. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** The raw body. It may still contain needed data of a write that happened. */
  body: Schema.Redacted(Schema.String),
  requestId
}) {
  override get message(): string {
    return `The body with status ${this.status} is not a response of this interface: ${this.reason}`
  }
}

/**
 * Errors of getting a token.
 *
 * @category models
 * @since 0.1.0
 */
export type TokenError = ApiFailure | Unreachable | Unreadable

/**
 * Errors of a read.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadError = TokenError | InvalidRequest

/**
 * Errors of a write under an idempotency key. With `UnknownOutcome` the write may have happened.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteError = ReadError | UnknownOutcome

/**
 * Errors of a write without an idempotency key. With `ResponseLost` the write may have happened.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteWithoutKeyError = ReadError | ResponseLost
