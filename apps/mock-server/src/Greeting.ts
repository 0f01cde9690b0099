/**
 * What the sandbox says once it listens: in a few lines how to reach it.
 *
 * @since 0.1.0
 */
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { type DatabaseLocation, shown } from "@parcela/service/DatabaseLocation"
import { defaults } from "@parcela/sandbox/SandboxOptions"
import * as Redacted from "effect/Redacted"

interface Listening {
  /** As it listens: `http://0.0.0.0:8026`. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

interface Shown {
  readonly database: DatabaseLocation
  readonly naming: Pick<NamingProfile, "name">
  readonly publicUrl?: string | undefined
  /** Whether the controls may be asked from elsewhere, with their token. */
  readonly hasControlsToken?: boolean
}

const isTerminal = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined

const bold = (text: string): string => (isTerminal ? `\u001b[1m${text}\u001b[22m` : text)
const dim = (text: string): string => (isTerminal ? `\u001b[2m${text}\u001b[22m` : text)

/** A value is whole, as a person may copy it. */
const line = (name: string, value: string): string => `  ${dim(name.padEnd(16))}${value}`

/** Output goes to logs, where only the secret that everybody knows may stand. */
const shownSecret = (secret: string): string =>
  secret === Redacted.value(defaults.clientSecret) ? secret : "as PARCELA_CLIENT_SECRET gives it"

/** Every address of the machine is none that a client can name. */
const reachable = (url: string): string => url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/**
 * Output goes to logs, so the secret that signs deliveries is not in it: only how to ask for it. By the address that is listened
 * at, as a proxy before the public one is to refuse the controls.
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
    line("base address", `${url}/v2`),
    ...(url === sandbox.url ? [] : [line("listens at", sandbox.url)]),
    line("docs", `${url}/docs`),
    line("OpenAPI", `${url}/openapi.json`),
    ...(naming.name === svcPay.name ? [] : [line("naming", `${naming.name} (keys and paths: ${naming.name}Id)`)]),
    line("client id", sandbox.clientId),
    line("client secret", shownSecret(Redacted.value(sandbox.clientSecret))),
    line("webhook secret", keysCommand(sandbox, here, settings)),
    line("", dim("(and the confirmHash)")),
    line("data", database === ":memory:" ? "in memory, gone when it stops" : shown(database)),
    line("stop", "Ctrl+C")
  ].join("\n")
}
