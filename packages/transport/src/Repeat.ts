/**
 * When a request is sent again. A read, whenever that may help. A write, only under the same `Idempotency-Key`, as the
 * service then does it at most once; and a write whose tries may have arrived is never reported as failed, also when the
 * caller gives it up.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/errors/Faults"
import type { Decoder } from "@parcela/core/json/Reading"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import {
  type ApiFailure,
  InvalidRequest,
  type ReadError,
  type TokenError,
  UnknownOutcome,
  type Unreachable,
  Unreadable,
  type WriteError
} from "./ClientError.ts"
import type { ApiError } from "./ApiError.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { type Lost, once, unreachable } from "./Exchange.ts"

/** How often a request is sent again at most. */
const repeats = 2

/**
 * A request that a client derived from the contract sends, each time it runs.
 *
 * **Details**
 *
 * Its type holds the failures that middleware may decode. With `responseMode: "response-only"` none is decoded: they
 * are read here, leniently.
 *
 * @category models
 * @since 0.1.0
 */
export type Sending = Effect.Effect<
  HttpClientResponse.HttpClientResponse,
  Schema.SchemaError | HttpClientError.HttpClientError | TokenError | ApiError
>

type Options = Pick<ClientOptions, "baseUrl" | "onAnswer" | "timeout">

/**
 * The answer to a request that changes nothing: sent again after a loss, a 429 and a 5xx.
 *
 * @category combinators
 * @since 0.1.0
 */
export const repeatedly = Effect.fnUntraced(function* <A>(
  options: Options,
  operation: string,
  reading: Decoder<A>,
  sending: Sending
): Effect.fn.Return<A, ReadError> {
  for (let attempt = 1; ; attempt++) {
    const result = yield* attemptOnce(options, operation, reading, sending)
    if (Result.isSuccess(result)) return result.success
    const error = result.failure
    if (attempt > repeats || !(isBusy(error) || hasStatus(error, 429))) return yield* Effect.fail(told(options, error))
    yield* pause(attempt, error)
  }
})

/**
 * Whether the write that is being sent was handed to the connection: set by whoever sends it, as only that one knows
 * when a token was there and the request left.
 *
 * @category references
 * @since 0.1.0
 */
export const WriteProgress = Context.Reference<{ isSent: boolean } | undefined>("@parcela/transport/WriteProgress", {
  defaultValue: () => undefined
})

/**
 * The response to a write under `key`: sent again after a loss, a 5xx, and a 409 (the first try still runs).
 *
 * **Details**
 *
 * Once a try may have arrived, only a 200 settles what happened: a refusal of a later try may be the echo of the
 * first one's success, for a service that does not know the key. Everything else is `UnknownOutcome`.
 *
 * **Gotchas**
 *
 * A caller that interrupts a write which was sent gets `UnknownOutcome` beside the interruption: it is in the cause of
 * the exit, and what a promise of `Effect.runPromise(write, { signal })` is rejected with.
 *
 * @category combinators
 * @since 0.1.0
 */
export const underKey = <A>(
  options: Options,
  operation: string,
  reading: Decoder<A>,
  key: string,
  sending: Sending
): Effect.Effect<A, WriteError> =>
  Effect.suspend(() => {
    const progress = { isSent: false }
    let isUncertain = false
    let attempts = 0
    const unknown = (reason: string) => new UnknownOutcome({ operation, idempotencyKey: key, attempts, reason })

    const repeating = Effect.gen(function* () {
      for (;;) {
        attempts++
        progress.isSent = false
        const result = yield* attemptOnce(options, operation, reading, sending)
        progress.isSent = false
        if (Result.isSuccess(result)) return result.success
        const error = result.failure
        const isRunning = hasStatus(error, 409)
        isUncertain ||= isRunning || mayHaveArrived(error)
        if (attempts <= repeats && (isRunning || isBusy(error))) {
          yield* pause(attempts, error)
          continue
        }
        // It was done and answered; only the words of the answer are strange.
        const isDone = error._tag === "Unreadable" && error.status === 200
        if (isUncertain && !isDone) return yield* unknown(error.message)
        return yield* Effect.fail(error._tag === "Unreadable" ? named(error, key) : told(options, error))
      }
    })
    return repeating.pipe(
      Effect.provideService(WriteProgress, progress),
      Effect.onInterrupt(() =>
        isUncertain || progress.isSent
          ? Effect.fail(unknown("the caller gave up before there was a response"))
          : Effect.void
      )
    )
  })

type Failed = ApiFailure | Unreachable | Unreadable | InvalidRequest | Lost

const attemptOnce = <A>(
  options: Options,
  operation: string,
  reading: Decoder<A>,
  sending: Sending
): Effect.Effect<Result.Result<A, Failed>> =>
  once(
    options,
    operation,
    reading,
    // An ApiError of the transport is a response here, and no failure.
    sending as Effect.Effect<HttpClientResponse.HttpClientResponse, Exclude<Effect.Error<Sending>, ApiError>>
  ).pipe(
    Effect.catchTag("SchemaError", (error) =>
      Effect.fail(new InvalidRequest({ details: detailsOf(error.issue, "Request") }))
    ),
    Effect.result
  )

const told = (options: Options, error: Failed): ReadError =>
  error._tag === "Lost" ? unreachable(options.baseUrl, error.reason) : error

/** A write whose response cannot be read can still be repeated for it, under its key. */
const named = ({ body, reason, status }: Unreadable, idempotencyKey: string): Unreadable =>
  new Unreadable({ body, reason, status, idempotencyKey })

const hasStatus = (error: Failed, status: number): boolean => error._tag === "ApiFailure" && error.status === status

const isBusy = (error: Failed): boolean =>
  error._tag === "Lost" || error._tag === "Unreachable" || (error._tag === "ApiFailure" && error.status >= 500)

/** `Unreachable` comes from the token's request: the write itself was not sent. */
const mayHaveArrived = (error: Failed): boolean =>
  error._tag === "Lost" ? error.mayHaveArrived : error._tag !== "Unreachable" && isBusy(error)

/** Half a second, then a second, each up to half shorter by chance; longer when the service says so, up to 10 s. */
const pause = Effect.fnUntraced(function* (attempt: number, error: Failed) {
  const share = yield* Random.nextBetween(0.5, 1)
  const asked = error._tag === "ApiFailure" ? Math.min(error.retryAfter ?? 0, 10) * 1000 : 0
  yield* Effect.sleep(Duration.millis(Math.max(500 * 2 ** (attempt - 1) * share, asked)))
})
