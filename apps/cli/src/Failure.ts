/**
 * What a person is told when a command did not do what was asked, and the exit code that a script is told.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/ErrorNode"
import type { WriteError } from "@parcela/transport/ClientError"
import { type Paint, plain } from "./Paint.ts"
import type { UsageError } from "./UsageError.ts"

/** 0 done, 1 refused by the service, 2 wrong usage, 3 not reached or not known whether it happened. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unknown: 3 } as const

export const exitCodeHelp =
  "Exit codes: 0 done, 1 refused by the service, 2 wrong usage, 3 not reached, or not known whether it happened."

export type Failure = WriteError | UsageError

interface Told {
  readonly headline: string
  readonly details: { readonly [field: string]: ReadonlyArray<string> }
  readonly remedy: string
  readonly exitCode: number
}

const told = (failure: Failure): Told => {
  switch (failure._tag) {
    case "UsageError":
      return { headline: failure.problem, details: {}, remedy: failure.remedy, exitCode: exitCodes.usage }
    case "InvalidRequest":
      return {
        headline: "Nothing was sent: the request does not fit the interface",
        details: failure.details,
        remedy: "Correct these fields and run the command again; --help shows its flags",
        exitCode: exitCodes.usage
      }
    case "ApiFailure":
      return {
        headline: `The service refused (${failure.status}): ${failure.says}`,
        details: failure.details ?? {},
        remedy: remedyOf(failure.status, failure.retryAfter),
        exitCode: exitCodes.refused
      }
    case "Unreachable":
      return {
        headline: `No answer from ${failure.baseUrl}: ${failure.reason}`,
        details: {},
        remedy: "Nothing has happened. Check the base URL (--base-url), and that the service is running",
        exitCode: exitCodes.unknown
      }
    case "UnknownOutcome":
      return {
        headline: `It may or may not have happened: ${failure.reason}`,
        details: { "Request.idempotencyKey": [failure.idempotencyKey] },
        remedy: `Run the command again with --idempotency-key ${failure.idempotencyKey}: it is done at most once`,
        exitCode: exitCodes.unknown
      }
    case "Unreadable":
      return {
        headline: `The service answered ${failure.status} with something that is no answer of this interface`,
        details: { "Answer.body": failure.reason.split("\n") },
        remedy:
          failure.status === 200
            ? "A write did happen. Check that the base URL is that of a billing service, and its version"
            : "Check that the base URL is that of a billing service, with /v2",
        exitCode: exitCodes.unknown
      }
  }
}

const remedyOf = (status: number, retryAfter: number | undefined): string => {
  switch (status) {
    case 400:
      return "Correct these fields and run the command again"
    case 401:
      return "Check the client id, and the secret in PARCELA_CLIENT_SECRET or the profile"
    case 403:
      return "The credentials lack the scope, or this address is not allowed: ask whoever issued them"
    case 404:
      return "Check the identifier and --by: the service's own (svcPayId) or yours (myId)"
    case 422:
      return "That --idempotency-key named another request: leave it out or choose a new one"
    case 429:
      return retryAfter === undefined ? "Try again later" : `Try again in ${retryAfter} s`
    default:
      return "Try again; when it stays, tell whoever runs the service"
  }
}

export const exitCodeOf = (failure: Failure): number => told(failure).exitCode

/** The failure as the interface writes failures. */
export const errorNode = (failure: Failure): ErrorNode => {
  const { details, headline } = told(failure)
  const message = failure._tag === "ApiFailure" ? failure.says : headline
  return { error: { message, ...(Object.keys(details).length === 0 ? {} : { details }) } }
}

/** What happened, which field, and what to try. */
export const forPeople = (paint: Paint, failure: Failure): string => {
  const { details, headline, remedy } = told(failure)
  const fields = Object.entries(details).flatMap(([field, problems]) =>
    problems.map((problem) => `  ${paint("bold", plain(field))}  ${plain(problem)}`)
  )
  return [`${paint("red", "error")}: ${plain(headline)}.`, ...fields, `${paint("cyan", "try")}: ${remedy}.`].join("\n")
}
