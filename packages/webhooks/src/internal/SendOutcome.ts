/**
 * What a response, or the lack of one, says of a try.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Predicate from "effect/Predicate"
import { defective, type SendResult } from "../WebhookSender.ts"

/**
 * No status came, and why.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noResponse = (problem: string): SendResult => ({ _tag: "NoResponse", problem })

/**
 * What a status says, and the header `Retry-After` beside it.
 *
 * @category conversions
 * @since 0.1.0
 */
export const ofStatus = (status: number, retryAfter: string | undefined, now: number): SendResult => {
  if (status >= 200 && status < 300) return { _tag: "Accepted", status }
  const isRedirect = status >= 300 && status < 400
  const pause = pauseOf(retryAfter, now)
  return {
    _tag: "Refused",
    status,
    ...(pause === undefined ? {} : { retryAfter: pause }),
    problem: isRedirect
      ? `The receiver redirects (${status}), and redirects are not followed`
      : `The receiver responded with ${status}`
  }
}

// RFC 9110, 10.2.3: seconds, or a date.
const pauseOf = (header: string | undefined, now: number): Duration.Duration | undefined => {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/u.test(header)) return Duration.seconds(Number(header))
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
}

/**
 * What an error of an HTTP client says. Its message may quote the address, so only its code is looked at. Errors of the
 * language, and requests that cannot be made, are defects.
 *
 * @category conversions
 * @since 0.1.0
 */
export const ofError = (error: unknown): SendResult => {
  const code = codeOf(error)
  if (code === undefined) return isDefect(error) ? defective(error) : noResponse("The connection failed")
  if (ofOurs.test(code)) return defective(error)
  const known = knownCodes.get(code)
  if (known !== undefined) return noResponse(known)
  return noResponse(
    /CERT|SSL|TLS/.test(code)
      ? `The receiver's TLS certificate was not accepted (${code})`
      : `The connection failed (${code})`
  )
}

const isDefect = (error: unknown): boolean =>
  [RangeError, ReferenceError, SyntaxError, TypeError].some((kind) => error instanceof kind)

/** A client that is not installed too: an address is not to blame for it. */
const ofOurs = /^(?:UND_ERR_(?:INVALID_|NOT_SUPPORTED|REQ_)|ERR_INVALID_|ERR_OUT_OF_RANGE|(?:ERR_)?MODULE_NOT_FOUND)/

const knownCodes: ReadonlyMap<string, string> = new Map([
  ["ERR_ADDRESS_NOT_ALLOWED", "The address leads to a network that deliveries may not go to"],
  ["ECONNREFUSED", "Nothing listens at the address (the connection was refused)"],
  ["ENOTFOUND", "The host name is unknown"],
  ["EAI_AGAIN", "The host name could not be looked up"],
  ["ECONNRESET", "The receiver closed the connection without a response"],
  ["UND_ERR_SOCKET", "The receiver closed the connection without a response"],
  ["ETIMEDOUT", "The receiver could not be reached in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "The receiver could not be reached in time"],
  ["EHOSTUNREACH", "There is no route to the receiver"],
  ["ENETUNREACH", "There is no route to the receiver"]
])

// Clients wrap the system's error, some more than once.
const codeOf = (error: unknown): string | undefined => {
  let current = error
  for (let depth = 0; depth < 6 && Predicate.isObject(current); depth++) {
    if ("code" in current && typeof current.code === "string" && /^[A-Z][A-Z0-9_]{1,63}$/.test(current.code)) {
      return current.code
    }
    current = "cause" in current ? current.cause : undefined
  }
  return undefined
}
