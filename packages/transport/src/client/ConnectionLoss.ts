/**
 * A request without a response, and whether it may have reached the service.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as HttpClientError from "effect/http/HttpClientError"
import { Unreachable } from "./ClientError.ts"

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
export const lostBy = (error: HttpClientError.HttpClientError): ConnectionLost => {
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
