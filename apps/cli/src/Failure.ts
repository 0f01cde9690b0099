/**
 * Messages and exit codes of failed commands.
 *
 * @since 0.1.0
 */
import { wrapped } from "@parcela/core/language/Wrapping"
import { isUnknown, type ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { galaxPay } from "@parcela/core/json/NamingProfile"
import type { ApiFailure, Unreadable, WriteError, WriteWithoutKeyError } from "@parcela/transport/client/ClientError"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isLoopback } from "./Connection.ts"
import * as Remedies from "./Remedies.ts"
import { remedyOfRefusal } from "./Remedies.ts"
import { paint, type Paint, plain } from "./Terminal.ts"
import type { UsageError } from "./GlobalFlags.ts"

export const exitCodes = { done: 0, refused: 1, usage: 2, unknown: 3, fault: 70, interrupted: 130 } as const

/** The stable meanings of the exit codes, for scripts. */
export const exitCodeMeanings: { readonly [code: number]: string } = {
  [exitCodes.done]: "done; a denied card is an outcome: read the status",
  [exitCodes.refused]: "refused by the service: nothing was changed",
  [exitCodes.usage]: "wrong usage or settings: nothing was sent",
  [exitCodes.unknown]: "unreachable, or the outcome is unknown",
  [exitCodes.fault]: "a defect of this program",
  [exitCodes.interrupted]: "interrupted"
}

/**
 * A 404 of a sandbox's controls or of a service's administration, for a company, an entity or the whole path; or a 401
 * for their own token.
 */
export class ControlRefused extends Data.TaggedError("ControlRefused")<{
  readonly failure: ApiFailure
  readonly of: "controls" | "administration"
}> {}

/** Hints for a missing path. */
const whereItIs = {
  controls: "that this is a sandbox: other services have no controls",
  administration: "that this service has an administration at this address"
}

const tokens = {
  controls: "PARCELA_CONTROLS_TOKEN must be the token of the running sandbox",
  administration: "PARCELA_OPERATOR_TOKEN must be the token of the running service"
}

/** Fixtures that differ from existing entities or could not be created. They were printed before. */
export class NotAsDeclared extends Data.TaggedError("NotAsDeclared")<{ readonly count: number }> {}

/** The user pressed Ctrl+C during a clock advance. The error has the advance's progress, if it could be read. */
export class AdvanceInterrupted extends Data.TaggedError("AdvanceInterrupted")<{
  readonly name: string | undefined
  /** A formatted time. */
  readonly reached?: string
  readonly to?: string
}> {}

export type Failure =
  | AdvanceInterrupted
  | ControlRefused
  | NotAsDeclared
  | WriteWithoutKeyError
  | UsageError
  | WriteError

interface Meaning {
  readonly headline: string
  readonly details: { readonly [field: string]: ReadonlyArray<string> }
  readonly remedy: string
  readonly exitCode: number
}

const meaningOf = (failure: Failure): Meaning => {
  switch (failure._tag) {
    case "UsageError":
      return { headline: failure.problem, details: {}, remedy: failure.remedy, exitCode: exitCodes.usage }
    case "NotAsDeclared":
      return notAsDeclared(failure)
    case "AdvanceInterrupted":
      return advanceInterrupted(failure)
    case "InvalidRequest":
      return {
        headline: "Nothing was sent: the request does not fit the interface",
        details: failure.details,
        remedy: remedyOfFaults(failure.details),
        exitCode: exitCodes.usage
      }
    case "ApiFailure":
      return {
        headline: headlineOf(failure),
        details: { ...failure.details, ...requestOf(failure) },
        remedy: remedyOfRefusal(failure),
        exitCode: exitCodes.refused
      }
    case "ControlRefused":
      return {
        ...meaningOf(failure.failure),
        remedy:
          failure.failure.status === 401
            ? `${tokens[failure.of]}; without one, on that machine, leave it out here as well`
            : `Check the identifier, then the company that it is of (--client-id), and ${whereItIs[failure.of]}`
      }
    case "Unreachable":
      return {
        headline: `No response from ${failure.baseUrl}: ${Remedies.inWords(failure.reason)}`,
        details: {},
        remedy: `Nothing has happened. ${Remedies.remedyOf(failure.reason, isHere(failure.baseUrl))}`,
        exitCode: exitCodes.unknown
      }
    case "UnknownOutcome":
      return {
        headline: `It may or may not have happened: ${Remedies.inWords(failure.reason)}`,
        details: { "Request.idempotencyKey": [failure.idempotencyKey], ...requestOf(failure) },
        remedy: `Run the command again with --idempotency-key ${failure.idempotencyKey}: it is done at most once`,
        exitCode: exitCodes.unknown
      }
    case "ResponseLost":
      return {
        headline: `It may or may not have happened: ${Remedies.inWords(failure.reason)}`,
        details: {},
        remedy: "Check with the list command if it happened, before you run this command again",
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

/** Returns the remedy for invalid fields. A file may use another deployment's names, which are unknown here. */
const remedyOfFaults = (details: Meaning["details"]): string => {
  const unknown = Object.keys(details).filter((field) => details[field]?.includes(isUnknown))
  const theirs = unknown.find((field) => galaxPay.fromWireName(field) !== field)?.replace(/^.*\./u, "")
  return theirs === undefined
    ? "Correct these fields and run the command again; --help shows its flags"
    : `Write ${galaxPay.fromWireName(theirs)} for ${theirs}, or run the command with --naming galaxPay, where that is the service's name`
}

const notAsDeclared = ({ count }: NotAsDeclared): Meaning => ({
  headline: `${count} of the file's fixtures are not as it declares them`,
  details: {},
  remedy:
    "See the table: change the file or the existing entities, or run parcela sandbox reset and apply the file again",
  exitCode: exitCodes.refused
})

const advanceInterrupted = ({ name, reached, to }: AdvanceInterrupted): Meaning => ({
  headline: `The advance was interrupted${reached === undefined ? "" : `, and the company's clock stands at ${reached}`}. The sandbox ends it at the step that it is at: what was done stays done, and a payment under way is finished by itself`,
  details: {},
  remedy:
    name !== undefined
      ? `The same command again goes on, as it has the name ${name}`
      : to === undefined
        ? "parcela sandbox last-advance shows the time that it reached, and its target"
        : `parcela sandbox advance --to ${to} goes on`,
  exitCode: exitCodes.interrupted
})

/** Keys in another naming profile, which a server writes under `PARCELA_NAMING`. */
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

/** Returns the service's message, without the part that its only detail repeats. */
const headlineOf = ({ details = {}, serverMessage: says, status }: ApiFailure): string => {
  const does = `${status === 501 ? "The service does not offer it" : "The service refused"} (${status})`
  const isDetail = Object.entries(details).some(([field, problems]) => `${field}: ${problems.join(", ")}` === says)
  return isDetail ? does : `${does}: ${says.replace(/\.$/u, "")}`
}

/** Returns the request id for the service's operator, if the service failed. */
const requestOf = (failure: { readonly requestId?: string; readonly status?: number }) =>
  failure.requestId === undefined || (failure.status ?? 500) < 500 ? {} : { "Request.id": [failure.requestId] }

const isHere = (baseUrl: string): boolean => {
  const url = URL.parse(baseUrl)
  return url !== null && isLoopback(url)
}

export const exitCodeOf = (failure: Failure): number => meaningOf(failure).exitCode

/** Returns the failure as an error node of the interface. */
const errorNode = (failure: Failure): ErrorNode => {
  const { details, headline } = meaningOf(failure)
  const refusal = failure._tag === "ControlRefused" ? failure.failure : failure
  const message = refusal._tag === "ApiFailure" ? refusal.serverMessage : headline
  return { error: { message, ...(Object.keys(details).length === 0 ? {} : { details }) } }
}

/** Returns the failure as text: what happened, in which field, and what to do. */
export const forPeople = (paint: Paint, failure: Failure): string => {
  const { details, headline, remedy } = meaningOf(failure)
  const lines = (text: string, below: string) => wrapped(text, paint.columns - below.length).join(`\n${below}`)
  const fields = Object.entries(details).flatMap(([field, problems]) =>
    problems.map((problem) => {
      const [name = "", ...rest] = lines(`${plain(field)}  ${plain(problem)}`, "    ").split("  ")
      return `  ${paint("bold", name)}${rest.length === 0 ? "" : `  ${rest.join("  ")}`}`
    })
  )
  const [error, attempt] = [lines(`error: ${plain(headline)}.`, "  "), lines(`try: ${remedy}.`, "  ")]
  return [
    `${paint("red", "error")}${error.slice("error".length)}`,
    ...fields,
    `${paint("cyan", "try")}${attempt.slice("try".length)}`
  ].join("\n")
}

/** Prints a failure on stderr, because stdout is for results. */
export const report = (failure: Failure, asJson: boolean): Effect.Effect<void> =>
  asJson
    ? Console.error(JSON.stringify(errorNode(failure)))
    : Effect.flatMap(paint, (paint) => Console.error(forPeople(paint, failure)))
