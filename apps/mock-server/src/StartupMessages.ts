/**
 * The message after the start: the URLs and credentials of the sandbox.
 *
 * @since 0.1.0
 */
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { type DatabaseLocation, shown } from "@parcela/service/ServiceOptions"
import { defaults, hasWellKnownSecret, isExposed } from "@parcela/sandbox/SandboxOptions"
import * as Redacted from "effect/Redacted"
import type { Settings } from "./Settings.ts"

interface Listening {
  /** The listening URL: `http://0.0.0.0:8026`. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

interface Shown {
  readonly database: DatabaseLocation
  readonly naming: Pick<NamingProfile, "name">
  readonly publicUrl?: string | undefined
  /** True if other machines may use the sandbox with the controls token. */
  readonly hasControlsToken?: boolean
}

const isTerminal = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined

const bold = (text: string): string => (isTerminal ? `\u001b[1m${text}\u001b[22m` : text)
const dim = (text: string): string => (isTerminal ? `\u001b[2m${text}\u001b[22m` : text)

/** Formats one value in a line, not truncated, because users copy values. */
const line = (name: string, value: string): string => `  ${dim(name.padEnd(16))}${value}`

/** Hides a chosen secret, because output goes to logs. The published default may be shown. */
const shownSecret = (secret: string): string =>
  secret === Redacted.value(defaults.clientSecret) ? secret : "(that of PARCELA_CLIENT_SECRET)"

/** Replaces the unspecified address, to which clients cannot connect. */
const reachable = (url: string): string => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/**
 * Returns the command that shows the keys of deliveries. Output goes to logs, so it does not contain the keys
 * themselves. The command uses the listening URL, because a proxy at the public URL should refuse the controls.
 */
const keysCommand = ({ clientId }: Listening, here: string, { hasControlsToken }: Shown): string => {
  const token = hasControlsToken === true ? '-H "Authorization: Bearer $PARCELA_CONTROLS_TOKEN" ' : ""
  return `curl ${token}${here}/sandbox/companies/${encodeURIComponent(clientId)}`
}

export const greeting = (sandbox: Listening, settings: Shown): string => {
  const { database, naming, publicUrl } = settings
  const here = reachable(sandbox.url)
  const url = publicUrl ?? here
  return [
    bold("Parcela sandbox"),
    line("base URL", `${url}/v2`),
    ...(url === sandbox.url ? [] : [line("listens at", sandbox.url)]),
    line("docs", `${url}/docs`),
    line("OpenAPI", `${url}/openapi.json`),
    ...(naming.name === svcPay.name ? [] : [line("naming", `${naming.name} (keys and paths: ${naming.name}Id)`)]),
    line("client id", sandbox.clientId),
    line("client secret", shownSecret(Redacted.value(sandbox.clientSecret))),
    line("webhook secret", keysCommand(sandbox, here, settings)),
    line("", dim("(and the confirmHash)")),
    line("data", database === ":memory:" ? "in memory, deleted at the stop" : shown(database)),
    line("stop", "Ctrl+C")
  ].join("\n")
}

/** Returns the warning, or undefined if only this machine can reach the server or the secret is not the default. */
export const exposure = ({ clientSecret, host }: Pick<Settings, "clientSecret" | "host">): string | undefined => {
  if (!isExposed({ host }) || !hasWellKnownSecret({ clientSecret })) return undefined
  return (
    `PARCELA_HOST is ${host}: other machines can reach this server, and its client secret is the published default. ` +
    "The default is accepted only from this machine, so other machines get no token. They can read /docs, /health and " +
    "documents whose link they have. /sandbox and /admin need a token from them (PARCELA_CONTROLS_TOKEN, " +
    "PARCELA_OPERATOR_TOKEN). To let them log in, set PARCELA_CLIENT_SECRET. To keep them out, remove PARCELA_HOST."
  )
}
