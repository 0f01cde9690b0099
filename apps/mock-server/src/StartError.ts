/**
 * Why the sandbox did not start, in one line that says what to do.
 *
 * @since 0.1.0
 */
import { detailsOf } from "@parcela/core/Faults"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SchemaIssue from "effect/SchemaIssue"

export class StartError extends Schema.TaggedError<StartError>()("StartError", { message: Schema.String }) {}

const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const ofListening = (cause: unknown): string => {
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return "PARCELA_PORT: the port is taken. Choose another (PARCELA_PORT=8030 npm start), or stop what has it."
    case "EACCES":
      return "PARCELA_PORT: this user may not use that port. Choose one above 1023."
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "PARCELA_HOST: no address of this machine. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses."
    default:
      return `PARCELA_HOST, PARCELA_PORT: cannot listen there (${messageOf(cause)}).`
  }
}

/** Every setting that is wrong, by its name. */
const ofSettings = (error: Error): string =>
  Predicate.hasProperty(error.cause, "issue")
    ? Object.entries(detailsOf(error.cause.issue as SchemaIssue.Issue, "Settings"))
        .map(([field, problems]) => `${field.slice("Settings.".length)} ${problems.join(", ")}.`)
        .join(" ")
    : error.message

/** The line for whatever kept the sandbox from starting. */
export const startErrorOf = (error: { readonly _tag: string } & Error): StartError => {
  const says = (message: string) => new StartError({ message: message.replace(/\s*\n\s*/g, "; ") })
  switch (error._tag) {
    case "ServeError":
      return says(ofListening(error.cause))
    case "ConfigError":
      return says(ofSettings(error))
    case "SqlError":
    case "PlatformError":
    case "MasterKeyMissing":
    case "MasterKeyUnreadable":
    case "DatabaseIsNewer":
      return says(`PARCELA_DATABASE: ${error.message}`)
    default:
      return says(error.message)
  }
}
