/**
 * One try of a request, and what came of it: the part of the client that knows when a write may have happened.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorNode"
import { type Decoded, type Decoder, reader } from "@parcela/core/json/Reading"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { ApiFailure, Unreachable, Unreadable } from "./ClientError.ts"
import { type Answer, type ClientOptions, defaultTimeout } from "./ClientOptions.ts"

/**
 * The answer was lost on its way, or the request was.
 *
 * @category errors
 * @since 0.1.0
 */
export class Lost extends Schema.TaggedError<Lost>()("Lost", {
  /** Whether the request may have reached the service. */
  mayHaveArrived: Schema.Boolean,
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/**
 * The answer of one request, read with `reading`; a lost one after `timeout`.
 *
 * @category combinators
 * @since 0.1.0
 */
export const once = <A, E, R>(
  options: Pick<ClientOptions, "onAnswer" | "timeout">,
  operation: string,
  reading: Decoder<A>,
  request: Effect.Effect<HttpClientResponse.HttpClientResponse, E | HttpClientError.HttpClientError, R>
): Effect.Effect<A, Exclude<E, HttpClientError.HttpClientError> | ApiFailure | Unreadable | Lost, R> => {
  const timeout = Duration.fromInputUnsafe(options.timeout ?? defaultTimeout)
  const answer = Effect.flatMap(request, (response) =>
    Effect.map(response.text, (text): Answered => ({ response, text }))
  ).pipe(
    // The compiler does not see that E may have this tag.
    Effect.catchTag("HttpClientError" as never, (error: HttpClientError.HttpClientError) => Effect.fail(lostIn(error))),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(new Lost({ mayHaveArrived: true, reason: `no answer within ${Duration.format(timeout)}` }))
    })
    // As above: what has the tag is caught.
  ) as Effect.Effect<Answered, Exclude<E, HttpClientError.HttpClientError> | Lost, R>
  return Effect.flatMap(answer, ({ response, text }) => {
    const body = parse(text)
    const result = read(reading, response, body, text)
    const unread = Result.isSuccess(result) ? result.success.unread : []
    const seen: Answer = { operation, status: response.status, body: Option.getOrUndefined(body), unread }
    return Effect.andThen(
      options.onAnswer?.(seen) ?? Effect.void,
      Effect.fromResult(Result.map(result, (decoded) => decoded.value))
    )
  })
}

/**
 * No answer to a request that changes nothing.
 *
 * @category conversions
 * @since 0.1.0
 */
export const unreachable = (baseUrl: string, reason: string): Unreachable =>
  new Unreachable({ baseUrl: shown(baseUrl), reason })

interface Answered {
  readonly response: HttpClientResponse.HttpClientResponse
  readonly text: string
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

// Details are of any shape: `problemsOf` makes sentences of them.
const readFailure = reader(
  Schema.Struct({ error: Schema.Struct({ message: Schema.String, details: Schema.optionalKey(Schema.Unknown) }) })
)

const read = <A>(
  reading: Decoder<A>,
  response: HttpClientResponse.HttpClientResponse,
  body: Option.Option<unknown>,
  text: string
): Result.Result<Decoded<A>, ApiFailure | Unreadable> => {
  const failure = Option.isSome(body) ? readFailure(body.value).value.error : undefined
  // An error node is a failure whatever the status says, as some deployments put it into a 200.
  if (failure?.message !== undefined) {
    return Result.fail(failureOf(response, { message: failure.message, details: failure.details }))
  }
  if (response.status !== 200) {
    return Result.fail(
      response.status >= 500
        ? // A proxy in between speaks for a service that it could not reach.
          new ApiFailure({ status: response.status, says: excerpt(text) })
        : unreadable(response, excerpt(text), text)
    )
  }
  if (Option.isNone(body)) return Result.fail(unreadable(response, `no JSON: ${excerpt(text)}`, text))
  return Result.mapError(reading(body.value), (error) => unreadable(response, error.message, text))
}

const unreadable = (response: HttpClientResponse.HttpClientResponse, reason: string, text: string): Unreadable =>
  new Unreadable({ status: response.status, reason, body: Redacted.make(text, { label: "body" }) })

const failureOf = (
  response: HttpClientResponse.HttpClientResponse,
  { details, message }: { readonly message: string; readonly details?: unknown }
): ApiFailure => {
  const problems = problemsOf(details)
  const seconds = Number(response.headers["retry-after"])
  return new ApiFailure({
    status: response.status,
    says: message,
    ...(problems === undefined ? {} : { details: problems }),
    ...(Number.isFinite(seconds) ? { retryAfter: seconds } : {})
  })
}

/** Details of any shape as lists of sentences. */
const problemsOf = (details: unknown): ErrorDetails | undefined =>
  typeof details !== "object" || details === null || Array.isArray(details)
    ? undefined
    : Object.fromEntries(
        Object.entries(details).map(([field, problems]) => [field, [problems].flat().map((problem) => String(problem))])
      )

const excerpt = (text: string): string => {
  // An answer that was cut off, or came with another status, may still hold what nobody else may see.
  if (/access_token|confirmHash/u.test(text)) return "not shown, as it holds a secret"
  const line = text.replace(/\s+/gu, " ").trim()
  return line === "" ? "an empty body" : line.length > 120 ? `${line.slice(0, 120)}…` : line
}

/** No connection came about, so nothing was sent. */
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

const lostIn = (error: HttpClientError.HttpClientError): Lost => {
  const codes = codesOf(error, 5)
  const isUnsent = error.reason._tag === "InvalidUrlError" || error.reason._tag === "EncodeError"
  return new Lost({
    // Every address that a name stands for must have refused before it is certain that nothing was sent.
    mayHaveArrived: !isUnsent && !(codes.length > 0 && codes.every((code) => neverSent.has(code))),
    reason: codes[0] ?? (isUnsent ? error.reason.message : "the connection was lost")
  })
}

/** The system's codes in an error, its causes and the errors that it gathers. */
const codesOf = (error: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null || depth === 0) return []
  // It is an object, as was just asked.
  const { cause, code, errors } = error as { cause?: unknown; code?: unknown; errors?: unknown }
  const gathered = Array.isArray(errors) ? errors.flatMap((inner) => codesOf(inner, depth - 1)) : []
  return [
    ...(typeof code === "string" ? [code] : []),
    ...gathered,
    ...(cause === undefined ? [] : codesOf(cause, depth - 1))
  ]
}

const shown = (baseUrl: string): string => {
  const url = URL.parse(baseUrl)
  if (url === null) return baseUrl
  url.username = ""
  url.password = ""
  return url.href.replace(/\/$/u, "")
}
