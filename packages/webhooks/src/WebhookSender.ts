/**
 * Port that sends one delivery attempt. Also: results, and the retry policy.
 *
 * @since 0.1.0
 */
import { MachineTime } from "@parcela/core/time/Instant"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { WebhookSecret } from "./WebhookSecret.ts"

/**
 * The result of an attempt. `problem` is a short sentence without address, body or secret, and is stored.
 *
 * - `Accepted`: a 2xx status in time
 * - `Refused`: another status in time, including redirects, which are not followed
 * - `NoResponse`: no status; the receiver may have received the delivery
 * - `Defect`: a defect of the sending service
 *
 * @category models
 * @since 0.1.0
 */
export type SendResult =
  | { readonly _tag: "Accepted"; readonly status: number }
  | {
      readonly _tag: "Refused"
      readonly status: number
      readonly problem: string
      /** The requested pause. */
      readonly retryAfter?: Duration.Duration
    }
  | { readonly _tag: "NoResponse"; readonly problem: string }
  | { readonly _tag: "Defect"; readonly problem: string; readonly defect: unknown }

/**
 * @category models
 * @since 0.1.0
 */
export interface SendOptions {
  readonly url: string
  readonly body: string
  readonly webhookId: number
  /** The request has a signature for each secret. During a rotation: the new secret and the old one. */
  readonly secrets: Arr.NonEmptyReadonlyArray<WebhookSecret>
}

/**
 * @category ports
 * @since 0.1.0
 */
export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Sends one signed POST. Interruption closes the connection. */
    readonly send: (options: SendOptions) => Effect.Effect<SendResult>
  }
>()("@parcela/webhooks/WebhookSender") {}

/**
 * The retry policy: delays between the six attempts of a delivery, about 48 hours in all.
 *
 * Source: `docs/interface-decisions.md`. The interface (section 6) does not show the delays.
 */
const retryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(30),
  Duration.minutes(10),
  Duration.hours(2),
  Duration.hours(12),
  Duration.hours(34)
]

/**
 * Returns the time of the next attempt after `attempts` failed attempts (1 or more), or undefined after the last.
 *
 * **Details**
 *
 * The delay starts at `now`, so a sender that was down does not use up the attempts at once.
 *
 * @category scheduling
 * @since 0.1.0
 */
export const retryAt = (attempts: number, now: MachineTime): MachineTime | undefined => {
  const delay = retryDelays[attempts - 1]
  return delay === undefined ? undefined : MachineTime.make(now + Duration.toMillis(delay))
}

/**
 * Returns the result of a defect of the sending service.
 *
 * @category constructors
 * @since 0.1.0
 */
export const defective = (defect: unknown): SendResult => ({
  _tag: "Defect",
  problem: "The delivery could not be made: a defect of this service",
  defect
})

/**
 * Returns the result of an attempt without a status.
 *
 * @category constructors
 * @since 0.1.0
 */
export const noResponse = (problem: string): SendResult => ({ _tag: "NoResponse", problem })

/**
 * Returns the result of a response with this status and this `Retry-After` header.
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
 * Returns the result of an error of an HTTP client. Uses only the error's code, because its message may contain the
 * address. Errors of the language and invalid requests are defects.
 *
 * @category conversions
 * @since 0.1.0
 */
export const ofError = (error: unknown): SendResult => {
  const code = codeOf(error)
  if (code === undefined) return isDefect(error) ? defective(error) : noResponse("The connection failed")
  if (codesOfDefects.test(code)) return defective(error)
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

/** Codes of defects. `MODULE_NOT_FOUND`: the HTTP client is not installed. */
const codesOfDefects =
  /^(?:UND_ERR_(?:INVALID_|NOT_SUPPORTED|REQ_)|ERR_INVALID_|ERR_OUT_OF_RANGE|(?:ERR_)?MODULE_NOT_FOUND)/

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

// Clients wrap the system's error, some of them more than once.
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
