/**
 * The retry policy of the client. Reads are retried if a retry may help. Writes are retried only under the same
 * `Idempotency-Key`, so the service performs them at most once. A write that may have arrived is never reported as
 * failed, also when the caller interrupts it.
 *
 * @since 0.1.0
 */
import { backoff } from "@parcela/core/attempts/Backoff"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import {
  type ApiFailure,
  type ReadError,
  ResponseLost,
  UnknownOutcome,
  type Unreachable,
  Unreadable,
  type WriteError,
  type WriteWithoutKeyError
} from "./ClientError.ts"
import { type CommonOptions, defaultRetries } from "./ClientOptions.ts"
import { type ConnectionLost, unreachable, attempt, type Attempted } from "./RequestAttempt.ts"

type Options = CommonOptions

type Failed = ApiFailure | Unreachable | Unreadable | ConnectionLost

/**
 * Returns the response to a read, with retries after a loss, a 429 or a 5xx.
 *
 * @category combinators
 * @since 0.1.0
 */
export const retriedRead = Effect.fnUntraced(function* <A>(
  options: Options,
  of: Attempted<A>
): Effect.fn.Return<A, ReadError> {
  const retries = options.retries ?? defaultRetries
  for (let attempts = 1; ; attempts++) {
    const result = yield* Effect.result(attempt(options, of))
    if (Result.isSuccess(result)) return result.success
    const error = result.failure
    if (attempts > retries || !(isBusy(error) || hasStatus(error, 429))) {
      return yield* Effect.fail(withoutDoubt(options, error))
    }
    yield* pause(attempts, error)
  }
})

/**
 * Returns the response to a write under `key`, with retries after a loss, a 5xx, or a 409 (the first attempt still
 * runs).
 *
 * **Details**
 *
 * Once an attempt may have arrived, only a 200 is conclusive. A refusal of a later attempt may result from the success
 * of the first one, if the service does not support the key. Every other outcome is `UnknownOutcome`.
 *
 * **Gotchas**
 *
 * If the caller interrupts a sent write, the cause of the exit contains `UnknownOutcome` in addition to the
 * interruption. The promise of `Effect.runPromise(write, { signal })` is rejected with this error.
 *
 * @category combinators
 * @since 0.1.0
 */
export const retriedWrite = <A>(options: Options, of: Attempted<A>, key: string): Effect.Effect<A, WriteError> =>
  Effect.suspend(() => {
    const retries = options.retries ?? defaultRetries
    let isSent = false
    let isUncertain = false
    let attempts = 0
    const unknown = (reason: string, requestId?: string) =>
      new UnknownOutcome({
        operation: of.operation,
        idempotencyKey: key,
        attempts,
        reason,
        ...(requestId === undefined ? {} : { requestId })
      })

    const repeating = Effect.gen(function* () {
      for (;;) {
        attempts++
        const result = yield* Effect.result(attempt(options, of, () => (isSent = true)))
        isSent = false
        if (Result.isSuccess(result)) return result.success
        const error = result.failure
        const isRunning = hasStatus(error, 409)
        isUncertain ||= isRunning || mayHaveArrived(error)
        if (attempts <= retries && (isRunning || isBusy(error))) {
          yield* pause(attempts, error)
          continue
        }
        // The write is done; only its response cannot be decoded.
        const isDone = error._tag === "Unreadable" && error.status === 200
        if (isUncertain && !isDone) {
          return yield* unknown(error.message, "requestId" in error ? error.requestId : undefined)
        }
        return yield* Effect.fail(error._tag === "Unreadable" ? underKey(error, key) : withoutDoubt(options, error))
      }
    })
    return Effect.onInterrupt(repeating, () =>
      isUncertain || isSent ? Effect.fail(unknown("the caller stopped waiting before the response")) : Effect.void
    )
  })

/**
 * Returns the response to a write without a key. It is sent once, because a retry could perform it twice.
 *
 * @category combinators
 * @since 0.1.0
 */
export const sentOnce = <A>(options: Options, of: Attempted<A>): Effect.Effect<A, WriteWithoutKeyError> =>
  Effect.mapError(attempt(options, of), (error) => {
    if (error._tag === "ConnectionLost" && error.mayHaveArrived) {
      return new ResponseLost({ operation: of.operation, reason: error.reason })
    }
    return error._tag === "ApiFailure" && hasUnknownOutcome(error.status)
      ? new ResponseLost({ operation: of.operation, reason: error.serverMessage })
      : withoutDoubt(options, error)
  })

/** True for a 5xx other than 501 and 503, which mean that nothing was changed. */
const hasUnknownOutcome = (status: number): boolean => status >= 500 && status !== 501 && status !== 503

const withoutDoubt = (options: Options, error: Failed): ApiFailure | Unreachable | Unreadable =>
  error._tag === "ConnectionLost" ? unreachable(options.baseUrl, error.reason) : error

/** Adds the key to the error of an undecodable response, so that the caller can repeat the write. */
const underKey = ({ body, reason, requestId, status }: Unreadable, idempotencyKey: string): Unreadable =>
  new Unreadable({ body, reason, status, idempotencyKey, ...(requestId === undefined ? {} : { requestId }) })

const hasStatus = (error: Failed, status: number): boolean => error._tag === "ApiFailure" && error.status === status

const isBusy = (error: Failed): boolean =>
  error._tag === "ConnectionLost" ||
  error._tag === "Unreachable" ||
  (error._tag === "ApiFailure" && error.status >= 500)

/** `Unreachable` comes from the token request; the write itself was not sent. */
const mayHaveArrived = (error: Failed): boolean =>
  error._tag === "ConnectionLost" ? error.mayHaveArrived : error._tag !== "Unreachable" && isBusy(error)

const firstPause = Duration.millis(500)
const maxPause = Duration.seconds(8)
const maxRetryAfter = Duration.seconds(10)

/**
 * Waits half a second, then a second, and so on, each up to half shorter at random. A longer `Retry-After` counts up to
 * 10 s.
 */
const pause = Effect.fnUntraced(function* (attempts: number, error: Failed) {
  const wait = backoff(attempts - 1, firstPause, maxPause, yield* Random.next)
  const requested = Duration.seconds(error._tag === "ApiFailure" ? (error.retryAfter ?? 0) : 0)
  yield* Effect.sleep(Duration.max(wait, Duration.min(requested, maxRetryAfter)))
})
