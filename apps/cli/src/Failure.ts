/**
 * What a person is told when a command did not do what was asked, and the exit code that a script is told.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import type { ApiFailure, Unreadable, WriteError, WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import { type Paint, plain } from "./Paint.ts"
import type { UsageError } from "./UsageError.ts"

export const exitCodes = { done: 0, refused: 1, usage: 2, unknown: 3, fault: 70, interrupted: 130 } as const

/** What scripts may rely on. */
export const exitCodeMeanings: { readonly [code: number]: string } = {
  [exitCodes.done]: "done; a denial by a card operator is an outcome: read the status",
  [exitCodes.refused]: "refused by the service: nothing was changed",
  [exitCodes.usage]: "wrong usage or settings: nothing was sent",
  [exitCodes.unknown]: "not reached, or not known whether it happened",
  [exitCodes.fault]: "a fault of this program",
  [exitCodes.interrupted]: "interrupted"
}

/** A 404 of a sandbox's controls: of a company, of what is named there, or of the controls themselves. */
export class ControlNotFound extends Data.TaggedError("ControlNotFound")<{ readonly failure: ApiFailure }> {}

export type Failure = ControlNotFound | WriteWithoutKeyError | UsageError | WriteError

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
        remedy: remedyOf(failure),
        exitCode: exitCodes.refused
      }
    case "ControlNotFound":
      return {
        ...told(failure.failure),
        remedy:
          "Check the client id (--client-id) and the identifier, and that this is a sandbox, as npm start runs: other services have no controls"
      }
    case "Unreachable":
      return {
        headline: `No response from ${failure.baseUrl}: ${failure.reason.replace(/\.$/u, "")}`,
        details: {},
        remedy: "Nothing has happened. Check that the service is running, and the base URL (--base-url)",
        exitCode: exitCodes.unknown
      }
    case "UnknownOutcome":
      return {
        headline: `It may or may not have happened: ${failure.reason}`,
        details: { "Request.idempotencyKey": [failure.idempotencyKey] },
        remedy: `Run the command again with --idempotency-key ${failure.idempotencyKey}: it is done at most once`,
        exitCode: exitCodes.unknown
      }
    case "ResponseLost":
      return {
        headline: `It may or may not have happened: ${failure.reason}`,
        details: {},
        remedy: "Look at the list before you run the command again",
        exitCode: exitCodes.unknown
      }
    case "Unreadable":
      return {
        headline: `What the service sent with status ${failure.status} is no response of this interface`,
        details: { "Response.body": failure.reason.split("\n") },
        remedy: remedyOfUnreadable(failure),
        exitCode: exitCodes.unknown
      }
  }
}

/** Keys of another service's name, which a server writes under `PARCELA_NAMING`. */
const otherName = /"(?!svcPayId")([a-z]\w*Pay)Id"/u

const remedyOfUnreadable = ({ body, idempotencyKey, status }: Unreadable): string => {
  const name = otherName.exec(Redacted.value(body))?.[1]
  const cause =
    name === undefined
      ? "Check that the base URL is that of a billing service, with /v2"
      : `The service calls itself ${name} (its setting PARCELA_NAMING): run the command with --naming ${name}`
  if (status !== 200) return cause
  return idempotencyKey === undefined
    ? `Nothing was changed. ${cause}`
    : `The write did happen, under --idempotency-key ${idempotencyKey}: with that key it is not done again. ${cause}`
}

const remedyOf = ({ details, retryAfter, status }: ApiFailure): string => {
  switch (status) {
    case 400:
      return "Correct these fields and run the command again"
    case 401:
      return "Check the client id, and the secret in PARCELA_CLIENT_SECRET or the profile"
    case 403:
      return "The credentials lack the scope, or this address is not allowed: ask the company that issued them"
    case 404:
      return remedyOfNotFound(Object.keys(details ?? {}))
    case 422:
      return "That --idempotency-key named another request: leave it out or choose a new one"
    case 429:
      return retryAfter === undefined ? "Try again later" : `Try again in ${retryAfter} s`
    default:
      return "Try again; when it stays, tell the operator of the service"
  }
}

/** An entity that is not there, or is over, is named by a field; a path that is not there has none. */
const remedyOfNotFound = (fields: ReadonlyArray<string>): string => {
  if (fields.length === 0)
    return "Check the base URL (--base-url): it names the version, as in http://127.0.0.1:8026/v2"
  return fields.some((field) => /\.(?:svcPayId|myId)$/u.test(field))
    ? "Check the identifier and, where there is one, --by: the service's own (svcPayId) or yours (myId)"
    : "Look it up with the list command: what the request names is not there, or is over"
}

export const exitCodeOf = (failure: Failure): number => told(failure).exitCode

/** The failure as the interface writes failures. */
export const errorNode = (failure: Failure): ErrorNode => {
  const { details, headline } = told(failure)
  const refusal = failure._tag === "ControlNotFound" ? failure.failure : failure
  const message = refusal._tag === "ApiFailure" ? refusal.says : headline
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
