/**
 * Classifies a response: success, refusal, or undecodable.
 *
 * @since 0.1.0
 */
import type { ErrorDetails } from "@parcela/core/errors/ErrorDetails"
import { type Decoded, type Decoder, lenientDecoder } from "@parcela/core/json/LenientDecoder"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ApiFailure, Unreadable } from "./ClientError.ts"

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
export const requestIdOf = ({ headers }: Pick<RawResponse, "headers">): string | undefined => headers["x-request-id"]

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
export const readResponse = <A>(
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
          new ApiFailure({ status, says: excerpt(text), ...requestIdIn(response) })
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
    says: message,
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
