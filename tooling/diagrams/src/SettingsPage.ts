/** The page `docs/reference/settings.md`, from the settings that both programs document for `--help`. */
import { code, table } from "./Markdown.ts"

interface Setting {
  readonly meaning: string
  readonly default: string
  readonly details?: string
}

type Settings = Readonly<Record<string, Setting>>

/** The settings that the program `app` documents. No package may import an app, so this happens at run time. */
const settingsOf = async (app: string): Promise<Settings> => {
  const module: { readonly settings: Settings } = await import(
    new URL(`../../../apps/${app}/src/Help.ts`, import.meta.url).href
  )
  return module.settings
}

/** Read by `@parcela/client`, `@parcela/transport` and the command line, which have no `--help` for variables. */
const ofClient: Settings = {
  PARCELA_BASE_URL: {
    meaning: "base URL with the version",
    default: "required; the command line uses the local sandbox",
    details: "Such as `http://127.0.0.1:8026/v2`."
  },
  PARCELA_CLIENT_ID: { meaning: "client id", default: "required" },
  PARCELA_CLIENT_SECRET: { meaning: "client secret", default: "required" },
  PARCELA_SCOPE: {
    meaning: "scopes, separated by spaces",
    default: "all that is allowed except `balance.write` and `pos.write`"
  },
  PARCELA_TIMEOUT: { meaning: "time limit of one attempt of a request", default: "30 seconds" },
  PARCELA_RETRIES: { meaning: "how often a request is repeated at most", default: "2" },
  PARCELA_NAMING: { meaning: "naming profile of the service", default: "svcPay" },
  PARCELA_PORT: { meaning: "port of the local sandbox (command line)", default: "8026" },
  PARCELA_CONTROLS_TOKEN: { meaning: "token for `/sandbox` (command line)", default: "none" },
  PARCELA_OPERATOR_TOKEN: { meaning: "token for `/admin` (command line)", default: "none" },
  PARCELA_CONFIG: { meaning: "file of profiles (command line)", default: "~/.config/parcela/profiles.json" }
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith("..") ? "" : "."}`

const section = (title: string, settings: Settings): string =>
  [
    `## ${title}`,
    table(
      ["Variable", "Default", "Meaning"],
      Object.entries(settings).map(([name, { default: value, details, meaning }]) => [
        code(name),
        value.replaceAll("<", "&lt;"),
        details === undefined ? sentence(meaning) : `${sentence(meaning)} ${details}`
      ])
    )
  ].join("\n\n")

export const settingsPage = async (): Promise<string> =>
  [
    "# Settings",
    "<!-- Written by `npm run diagrams` from apps/mock-server/src/Help.ts and apps/webhook-receiver/src/Help.ts. -->",
    "All settings are environment variables. Server and receiver check them at the start and name each invalid one. An empty variable counts as not set, but the server refuses an empty `PARCELA_CLIENT_ID` or `PARCELA_CLIENT_SECRET`, and warns about an unknown `PARCELA_` variable.",
    section("Server", await settingsOf("mock-server")),
    section("Webhook receiver", await settingsOf("webhook-receiver")),
    section("Client and command line", ofClient)
  ].join("\n\n") + "\n"
