/**
 * Why the sandbox did not start, in one line that says what to do.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { Neighbour } from "./Neighbour.ts"

export class StartError extends Schema.TaggedError<StartError>()("StartError", { message: Schema.String }) {}

/** Where it was to listen, and who has the port when it is taken. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly neighbour?: Neighbour | undefined
}

const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Whether it failed because another program listens there. */
export const isPortTaken = (error: unknown): boolean =>
  Predicate.hasProperty(error, "cause") && codeOf(error.cause) === "EADDRINUSE"

const ofTakenPort = ({ host, neighbour, port }: Place): string => {
  const other = port === 8030 ? 8031 : 8030
  return neighbour === "parcela"
    ? `PARCELA_PORT: port ${port} of ${host} is taken by another Parcela, which is running. Use that one, stop it, or ` +
        `start a second one beside it: PARCELA_PORT=${other} PARCELA_DATABASE=.parcela/second.db npm start`
    : `PARCELA_PORT: port ${port} of ${host} is taken by another program. Choose another for this terminal and every ` +
        `one that talks to the sandbox (export PARCELA_PORT=${other}), or stop what has it.`
}

const ofListening = (cause: unknown, place: Place): string => {
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return ofTakenPort(place)
    case "EACCES":
      return `PARCELA_PORT: this user may not use port ${place.port}. Choose one above 1023.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return (
        `PARCELA_HOST: ${place.host} is no address of this machine. ` +
        "127.0.0.1 is this machine alone, 0.0.0.0 all its addresses."
      )
    default:
      return `PARCELA_HOST, PARCELA_PORT: cannot listen at ${place.host}, port ${place.port} (${messageOf(cause)}).`
  }
}

/** The store failed after it was opened: what its driver said is the innermost cause. */
const innermost = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error

/** The line for whatever kept the sandbox from starting. */
export const startErrorOf = (error: { readonly _tag: string } & Error, place: Place): StartError => {
  const says = (message: string) => new StartError({ message: message.replace(/\s*\n\s*/g, "; ") })
  switch (error._tag) {
    case "ServeError":
      return says(ofListening(error.cause, place))
    case "MasterKeyForeign":
    case "MasterKeyMissing":
    case "MasterKeyUnreadable":
      return says(`PARCELA_DATABASE, PARCELA_KEY_FILE: ${error.message}`)
    case "MigrationError":
    case "PlatformError":
    case "DatabaseIsNewer":
    case "StoresNotPaired":
    case "SqlError":
      return says(`PARCELA_DATABASE: ${error.message}`)
    case "StoreError":
      return says(`PARCELA_DATABASE: ${messageOf(innermost(error))}`)
    default:
      return says(error.message)
  }
}
