/**
 * One attempt of a request: it is sent once and ends in a response, a refusal or a loss.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import type { Decoder } from "@parcela/core/json/LenientDecoder"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type ApiFailure, inNames, type TokenError, type Unreadable } from "./ClientError.ts"
import { type CommonOptions, defaultTimeout } from "./ClientOptions.ts"
import { ConnectionLost, lostBy } from "./ConnectionLoss.ts"
import { readResponse, requestIdOf } from "./ResponseReader.ts"

/**
 * Sends the request each time it runs. `onSent` is called when the request leaves, which is later if a token must be
 * requested first.
 *
 * @category models
 * @since 0.1.0
 */
export type Send = (
  onSent: () => void
) => Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError | TokenError>

/**
 * The subject of an attempt: an operation, its send effect and its decoder.
 *
 * @category models
 * @since 0.1.0
 */
export interface Attempted<A> {
  readonly operation: string
  readonly decode: Decoder<A>
  readonly send: Send
}

/**
 * Returns the response of one attempt. The response is lost after `timeout`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const attempt = <A>(
  options: Pick<CommonOptions, "naming" | "onResponse" | "timeout">,
  { decode, operation, send }: Attempted<A>,
  onSent: () => void = () => {}
): Effect.Effect<A, TokenError | ApiFailure | Unreadable | ConnectionLost> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const { response, text } = yield* received(options, send(onSent))
    const body = Option.getOrUndefined(parse(text))
    const json = named(options.naming, body)
    const result = readResponse(decode, { status: response.status, headers: response.headers, text, json })
    yield* (
      options.onResponse?.({
        operation,
        status: response.status,
        requestId: requestIdOf(response),
        duration: (yield* Clock.currentTimeMillis) - startedAt,
        body,
        unread: Result.isSuccess(result) ? result.success.unread : []
      }) ?? Effect.void
    )
    return (yield* Effect.mapError(Effect.fromResult(result), inOwnNames(options.naming))).value
  })

const received = (options: Pick<CommonOptions, "timeout">, sending: ReturnType<Send>) => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? defaultTimeout)
  return Effect.flatMap(sending, (response) => Effect.map(response.text, (text) => ({ response, text }))).pipe(
    Effect.catchTag("HttpClientError", (error) => Effect.fail(lostBy(error))),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new ConnectionLost({ mayHaveArrived: true, reason: `no response within ${Duration.format(timeout)}` })
        )
    })
  )
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** Returns a failure in the interface's names, like the caller's own fields. */
const inOwnNames =
  (naming: NamingProfile | undefined) =>
  <E>(failure: E): E =>
    naming === undefined ? failure : inNames(failure, naming.fromWireName, naming.fromWireSentence)

const named = (naming: NamingProfile | undefined, json: unknown): unknown =>
  naming === undefined ? json : naming.fromWire(json)
