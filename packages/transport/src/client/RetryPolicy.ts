/**
 * The retry policy of the client: when a request is sent again. A read, whenever that may help. A write, only under the
 * same `Idempotency-Key`, as the service then does it at most once; and a write of which an attempt may have arrived is
 * never reported as failed, also when the caller gives it up.
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
import { type ConnectionLost, unreachable } from "./ConnectionLoss.ts"
import { attempt, type Attempted } from "./RequestAttempt.ts"

type Options = CommonOptions

type Failed = ApiFailure | Unreachable | Unreadable | ConnectionLost

/**
 * The response to a request that changes nothing: sent again after a loss, a 429 and a 5xx.
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
 * The response to a write under `key`: sent again after a loss, a 5xx, and a 409 (the first attempt still runs).
 *
 * **Details**
 *
 * Once an attempt may have arrived, only a 200 settles what happened: a refusal of a later attempt may be the echo of
 * the first one's success, for a service that does not know the key. Everything else is `UnknownOutcome`.
 *
 * **Gotchas**
 *
 * A caller that interrupts a write which was sent gets `UnknownOutcome` beside the interruption: it is in the cause of
 * the exit, and what a promise of `Effect.runPromise(write, { signal })` is rejected with.
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
        // It was done and there is a response; only its words are strange.
        const isDone = error._tag === "Unreadable" && error.status === 200
        if (isUncertain && !isDone) {
          return yield* unknown(error.message, "requestId" in error ? error.requestId : undefined)
        }
        return yield* Effect.fail(error._tag === "Unreadable" ? underKey(error, key) : withoutDoubt(options, error))
      }
    })
    return Effect.onInterrupt(repeating, () =>
      isUncertain || isSent ? Effect.fail(unknown("the caller gave up before there was a response")) : Effect.void
    )
  })

/**
 * The response to a write that has no key: sent once, as a second time could do it again.
 *
 * @category combinators
 * @since 0.1.0
 */
export const sentOnce = <A>(options: Options, of: Attempted<A>): Effect.Effect<A, WriteWithoutKeyError> =>
  Effect.mapError(attempt(options, of), (error) =>
    error._tag === "ConnectionLost" && error.mayHaveArrived
      ? new ResponseLost({ operation: of.operation, reason: error.reason })
      : withoutDoubt(options, error)
  )

const withoutDoubt = (options: Options, error: Failed): ApiFailure | Unreachable | Unreadable =>
  error._tag === "ConnectionLost" ? unreachable(options.baseUrl, error.reason) : error

/** A write whose response cannot be read can still be repeated for it, under its key. */
const underKey = ({ body, reason, requestId, status }: Unreadable, idempotencyKey: string): Unreadable =>
  new Unreadable({ body, reason, status, idempotencyKey, ...(requestId === undefined ? {} : { requestId }) })

const hasStatus = (error: Failed, status: number): boolean => error._tag === "ApiFailure" && error.status === status

const isBusy = (error: Failed): boolean =>
  error._tag === "ConnectionLost" ||
  error._tag === "Unreachable" ||
  (error._tag === "ApiFailure" && error.status >= 500)

/** `Unreachable` comes from the token's request: the write itself was not sent. */
const mayHaveArrived = (error: Failed): boolean =>
  error._tag === "ConnectionLost" ? error.mayHaveArrived : error._tag !== "Unreachable" && isBusy(error)

const firstPause = Duration.millis(500)
const longestPause = Duration.seconds(8)
const longestRetryAfter = Duration.seconds(10)

/** Half a second, then a second, each up to half shorter at random; longer when the service says so, up to 10 s. */
const pause = Effect.fnUntraced(function* (attempts: number, error: Failed) {
  const wait = backoff(attempts - 1, firstPause, longestPause, yield* Random.next)
  const asked = Duration.seconds(error._tag === "ApiFailure" ? (error.retryAfter ?? 0) : 0)
  yield* Effect.sleep(Duration.max(wait, Duration.min(asked, longestRetryAfter)))
})
