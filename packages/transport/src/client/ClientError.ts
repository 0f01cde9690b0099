/**
 * Why a call of the client brought no response, and whether anything may have happened.
 *
 * @since 0.1.0
 */
import { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import * as Schema from "effect/Schema"

/** Problems by `Entity.field` in one line: `Transaction.value: at least one cent; Transaction.myId: is required`. */
const inOneLine = (details: ErrorDetails | undefined): string =>
  Object.entries(details ?? {})
    .map(([field, problems]) => `${field}: ${problems.join(", ")}`)
    .join("; ")

/** A message that is its only problem is said once. */
const withDetails = (message: string, details: ErrorDetails | undefined): string => {
  const problems = inOneLine(details)
  return message.endsWith(problems) ? message : `${message} (${problems})`
}

/** `X-Request-Id` of the response: give it to the operator of the service. */
const requestId = Schema.optionalKey(Schema.String)

/**
 * The request was not sent: it does not fit the interface, and `details` says where.
 *
 * @category errors
 * @since 0.1.0
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", { details: ErrorDetails }) {
  override get message(): string {
    return withDetails("The request was not sent, as it does not fit the interface", this.details)
  }
}

/**
 * The service refused: its status code and its error node. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class ApiFailure extends Schema.TaggedError<ApiFailure>()("ApiFailure", {
  status: Schema.Int,
  /** `error.message` as the service wrote it. */
  says: Schema.String,
  details: Schema.optionalKey(ErrorDetails),
  /** Seconds to wait, where the service says so. */
  retryAfter: Schema.optionalKey(Schema.Finite),
  requestId
}) {
  override get message(): string {
    const wait = this.retryAfter === undefined ? "" : ` Try again in ${this.retryAfter} s.`
    return `${withDetails(`The service responded with ${this.status}: ${this.says}`, this.details)}${wait}`
  }
}

/**
 * A failure with its sentences in other names, such as those of the service; fields are renamed by `name`.
 *
 * @category conversions
 * @since 0.1.0
 */
export const inNames = <E>(failure: E, name: (field: string) => string, sentence: (text: string) => string): E => {
  const renamed = (details: ErrorDetails): ErrorDetails =>
    Object.fromEntries(Object.entries(details).map(([field, problems]) => [name(field), problems.map(sentence)]))
  if (failure instanceof InvalidRequest) {
    // It is made anew as what it was.
    return new InvalidRequest({ details: renamed(failure.details) }) as E & InvalidRequest
  }
  if (!(failure instanceof ApiFailure)) return failure
  const details = failure.details === undefined ? {} : { details: renamed(failure.details) }
  // As above.
  return new ApiFailure({ ...failure, says: sentence(failure.says), ...details }) as E & ApiFailure
}

/**
 * The service was not reached, or gave no response to a request that changes nothing. Nothing has happened.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  baseUrl: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `No response from ${this.baseUrl}: ${this.reason.replace(/\.$/u, "")}. Check that the service is running, and the base URL.`
  }
}

/**
 * A write was sent and there is no response that settles it: it was lost, the service does not know the outcome either
 * (504), or the caller gave the write up. It may have happened. **Never take this for a failure:** repeat the write with
 * the same `idempotencyKey`, which does it at most once and brings its response.
 *
 * @category errors
 * @since 0.1.0
 */
export class UnknownOutcome extends Schema.TaggedError<UnknownOutcome>()("UnknownOutcome", {
  operation: Schema.String,
  idempotencyKey: Schema.String,
  attempts: Schema.Int,
  reason: Schema.String,
  /** Of the last response, where there was one. */
  requestId
}) {
  override get message(): string {
    return (
      `${this.operation} may or may not have happened (${this.attempts} ${this.attempts === 1 ? "try" : "tries"}): ` +
      `${this.reason}. Repeat it with the same Idempotency-Key, "${this.idempotencyKey}": it is done at most once.`
    )
  }
}

/**
 * A write that has no idempotency key was sent and its response was lost: it may have happened. Look at what is there
 * before it is sent again.
 *
 * @category errors
 * @since 0.1.0
 */
export class ResponseLost extends Schema.TaggedError<ResponseLost>()("ResponseLost", {
  operation: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.operation} may or may not have happened: ${this.reason}. Look at what is there before you repeat it`
  }
}

/**
 * There was a response and it cannot be understood. With a `status` of 200 a write did happen, and `idempotencyKey` is
 * the one that it was sent under.
 *
 * @category errors
 * @since 0.1.0
 */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", {
  status: Schema.Int,
  reason: Schema.String,
  /** Absent for a read. */
  idempotencyKey: Schema.optionalKey(Schema.String),
  /** The body as it came: what is needed of a write that happened may still be in it. */
  body: Schema.Redacted(Schema.String),
  requestId
}) {
  override get message(): string {
    return `What the service sent with status ${this.status} is no response of this interface: ${this.reason}`
  }
}

/**
 * Why there is no token.
 *
 * @category models
 * @since 0.1.0
 */
export type TokenError = ApiFailure | Unreachable | Unreadable

/**
 * Why a read failed.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadError = TokenError | InvalidRequest

/**
 * Why a write under an idempotency key failed, or may have.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteError = ReadError | UnknownOutcome

/**
 * Why a write without an idempotency key failed, or may have.
 *
 * @category models
 * @since 0.1.0
 */
export type WriteWithoutKeyError = ReadError | ResponseLost
