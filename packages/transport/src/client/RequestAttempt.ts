/**
 * One attempt of a request: the client sends it once, and it ends in a response, a refusal or a loss.
 *
 * @since 0.1.0
 */
import type { NamingProfile } from "@parcela/core/json/NamingProfile"
import { type Decoder, type Decoded, lenientDecoder } from "@parcela/core/json/LenientDecoder"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { ApiFailure, inNames, type TokenError, Unreadable, Unreachable } from "./ClientError.ts"
import { type CommonOptions, defaultTimeout } from "./ClientOptions.ts"
import type { ErrorDetails } from "@parcela/core/errors/ErrorDetails"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

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
        undecoded: Result.isSuccess(result) ? result.success.undecoded : []
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

/**
 * @category models
 * @since 0.1.0
 */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The body's JSON; `undefined` if the body is not JSON. */
  readonly json: unknown
}

/**
 * Returns `X-Request-Id`, by which the operator of the service finds the request.
 *
 * @category getters
 * @since 0.1.0
 */
const requestIdOf = ({ headers }: Pick<RawResponse, "headers">): string | undefined => headers["x-request-id"]

// Details may have any shape; `problemsOf` converts them to sentences.
const readFailure = lenientDecoder(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }) })
)

/**
 * Returns the decoded success of a response, or its failure.
 *
 * @category conversions
 * @since 0.1.0
 */
const readResponse = <A>(
  decode: Decoder<A>,
  response: RawResponse
): Result.Result<Decoded<A>, ApiFailure | Unreadable> => {
  const { json, status, text } = response
  const failure = json === undefined ? undefined : readFailure(json).value.error
  // An error node is a failure at any status, because some deployments send it with a 200.
  if (failure?.message !== undefined) {
    return Result.fail(failureOf(response, { message: failure.message, details: failure.details }))
  }
  if (status !== 200) {
    return Result.fail(
      status >= 500
        ? // A proxy in between speaks for a service that it could not reach.
          new ApiFailure({ status, serverMessage: excerpt(text), ...requestIdIn(response) })
        : unreadable(response, excerpt(text))
    )
  }
  if (json === undefined) return Result.fail(unreadable(response, `no JSON: ${excerpt(text)}`))
  return Result.mapError(decode(json), (error) => unreadable(response, error.message))
}

const requestIdIn = (response: RawResponse): { readonly requestId?: string } => {
  const requestId = requestIdOf(response)
  return requestId === undefined ? {} : { requestId }
}

const unreadable = (response: RawResponse, reason: string): Unreadable =>
  new Unreadable({
    status: response.status,
    reason,
    body: Redacted.make(response.text, { label: "body" }),
    ...requestIdIn(response)
  })

const failureOf = (
  response: RawResponse,
  { details, message }: { readonly message: string; readonly details?: unknown }
): ApiFailure => {
  const problems = problemsOf(details)
  const seconds = Number(response.headers["retry-after"])
  return new ApiFailure({
    status: response.status,
    serverMessage: message,
    ...(problems === undefined ? {} : { details: problems }),
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {}),
    ...requestIdIn(response)
  })
}

/** Converts details of any shape to lists of sentences. */
const problemsOf = (details: unknown): ErrorDetails | undefined =>
  typeof details !== "object" || details === null || Array.isArray(details)
    ? undefined
    : Object.fromEntries(
        Object.entries(details).map(([field, problems]) => [field, [problems].flat().map((problem) => String(problem))])
      )

const excerpt = (text: string): string => {
  // A truncated response, or one with another status, may still contain a secret.
  if (/access_token|confirmHash/u.test(text)) return "not shown, as it holds a secret"
  const line = text.replace(/\s+/gu, " ").trim()
  return line === "" ? "an empty body" : line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/**
 * The request or its response was lost.
 *
 * @category errors
 * @since 0.1.0
 */
export class ConnectionLost extends Schema.TaggedError<ConnectionLost>()("ConnectionLost", {
  /** True if the request may have reached the service. */
  mayHaveArrived: Schema.Boolean,
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/** Error codes of failed connection attempts; nothing was sent. */
const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])

/**
 * Returns the loss for an error of the HTTP client.
 *
 * @category conversions
 * @since 0.1.0
 */
const lostBy = (error: HttpClientError.HttpClientError): ConnectionLost => {
  const codes = codesOf(error, 5)
  const isUnsent = error.reason._tag === "InvalidUrlError" || error.reason._tag === "EncodeError"
  return new ConnectionLost({
    // Nothing was sent only if every address of the host refused the connection.
    mayHaveArrived: !isUnsent && !(codes.length > 0 && codes.every((code) => neverSent.has(code))),
    reason: codes[0] ?? (isUnsent ? error.reason.message : "the connection was lost")
  })
}

/** Returns the system's codes in an error, its causes and the errors of an `AggregateError`. */
const codesOf = (error: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null || depth === 0) return []
  const cause = "cause" in error ? error.cause : undefined
  const code = "code" in error ? error.code : undefined
  const errors = "errors" in error && Array.isArray(error.errors) ? error.errors : []
  return [
    ...(typeof code === "string" ? [code] : []),
    ...errors.flatMap((inner) => codesOf(inner, depth - 1)),
    ...(cause === undefined ? [] : codesOf(cause, depth - 1))
  ]
}

/**
 * Returns the error for a read without a response.
 *
 * @category conversions
 * @since 0.1.0
 */
export const unreachable = (baseUrl: string, reason: string): Unreachable =>
  new Unreachable({ baseUrl: withoutCredentials(baseUrl), reason })

const withoutCredentials = (baseUrl: string): string => {
  // `URL.parse` needs Node 22; the client supports Node 20.
  if (!URL.canParse(baseUrl)) return baseUrl
  const url = new URL(baseUrl)
  url.username = ""
  url.password = ""
  return url.href.replace(/\/$/u, "")
}
