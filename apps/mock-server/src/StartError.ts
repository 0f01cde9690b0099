/**
 * The error of a failed start: one line with the reason and the remedy.
 *
 * @since 0.1.0
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Effect from "effect/Effect"

export class StartError extends Schema.TaggedError<StartError>()("StartError", { message: Schema.String }) {}

/** The wanted address, and the program on the port if the port is taken. */
export interface WantedAddress {
  readonly host: string
  readonly port: number
  readonly neighbour?: Neighbour | undefined
}

const codeOf = (cause: unknown): unknown => (Predicate.hasProperty(cause, "code") ? cause.code : undefined)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Returns true if the start failed because another program uses the port. */
export const isPortTaken = (error: unknown): boolean =>
  Predicate.hasProperty(error, "cause") && codeOf(error.cause) === "EADDRINUSE"

const ofTakenPort = ({ host, neighbour, port }: WantedAddress): string => {
  const other = port === 8030 ? 8031 : 8030
  return neighbour === "parcela"
    ? `PARCELA_PORT: port ${port} of ${host} is used by another Parcela. Use it, stop it, or ` +
        `start a second one on another port: PARCELA_PORT=${other} PARCELA_DATABASE=.parcela/second.db npm start`
    : `PARCELA_PORT: port ${port} of ${host} is used by another program. Stop that program, or choose another port in ` +
        `every terminal that uses the sandbox: export PARCELA_PORT=${other}.`
}

const ofListening = (cause: unknown, address: WantedAddress): string => {
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return ofTakenPort(address)
    case "EACCES":
      return `PARCELA_PORT: this user may not use port ${address.port}. Choose one above 1023.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return (
        `PARCELA_HOST: ${address.host} is not an address of this machine. ` +
        "127.0.0.1 is only this machine, 0.0.0.0 all its addresses."
      )
    default:
      return `PARCELA_HOST, PARCELA_PORT: cannot listen at ${address.host}, port ${address.port} (${messageOf(cause)}).`
  }
}

/** Returns the innermost cause: for a store that failed after it was opened, the driver's error. */
const innermost = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error

/** Returns the line for any error that prevented the start. */
export const startErrorOf = (error: { readonly _tag: string } & Error, address: WantedAddress): StartError => {
  const failWith = (message: string) => new StartError({ message: message.replace(/\s*\n\s*/g, "; ") })
  switch (error._tag) {
    case "ServeError":
      return failWith(ofListening(error.cause, address))
    case "MasterKeyForeign":
    case "MasterKeyMissing":
    case "MasterKeyUnreadable":
      return failWith(`PARCELA_DATABASE, PARCELA_KEY_FILE: ${error.message}`)
    case "MigrationError":
    case "PlatformError":
    case "DatabaseIsNewer":
    case "StoresNotPaired":
    case "SqlError":
      return failWith(`PARCELA_DATABASE: ${error.message}`)
    case "StoreError":
      return failWith(`PARCELA_DATABASE: ${messageOf(innermost(error))}`)
    default:
      return failWith(error.message)
  }
}

export type Neighbour = "parcela" | "other"

/** Returns a host to connect to: the loopback address for a server that listens on every address. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/**
 * Requests `/health` and the challenge at `/v2/token`, which every Parcela returns. Any other behaviour means another
 * program.
 */
export const neighbourAt = (host: string, port: number): Effect.Effect<Neighbour> =>
  Effect.tryPromise(async (signal): Promise<Neighbour> => {
    const base = `http://${reachable(host)}:${port}`
    const health = await fetch(`${base}/health`, { signal })
    // A value without properties would throw, and the caller treats the error as another program.
    const { status } = (await health.json()) as { readonly status?: unknown }
    const challenge = await fetch(`${base}/v2/token`, { method: "POST", signal, body: "grant_type=client_credentials" })
    const realm = challenge.headers.get("www-authenticate") ?? ""
    return status === "ok" && realm.includes('realm="parcela"') ? "parcela" : "other"
  }).pipe(
    // A Parcela that has just started builds its routes at the first requests.
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => "other" as const)
  )
