/**
 * What `--help` prints: how the program is set up, by every variable that `Settings` reads.
 *
 * @since 0.1.0
 */
import { type Variable, settingNames } from "./Settings.ts"

/** What each variable is for, with its default. */
const meanings: Readonly<Record<Variable, string>> = {
  PARCELA_HOST: "address to listen on (127.0.0.1)",
  PARCELA_PORT: "port to listen on; 0 is any free one (8026)",
  PARCELA_DATABASE: "SQLite file, :memory:, or postgres://.. (.parcela/sandbox.db)",
  PARCELA_DATABASE_TIMEOUT: "how long a request waits for PostgreSQL (15 seconds)",
  PARCELA_KEY_FILE: "file of the master key (beside the database)",
  PARCELA_CLIENT_ID: "client id of the company that is there from the start (sandbox)",
  PARCELA_CLIENT_SECRET: "its client secret (sandbox-secret)",
  PARCELA_CONTROLS_TOKEN: "token for /sandbox (none: programs on this machine)",
  PARCELA_OPERATOR_TOKEN: "token for /admin (none: programs on this machine)",
  PARCELA_NAMING: "the service's name in keys and paths (svcPay)",
  PARCELA_CNPJ: "digits, or letters too in a CNPJ (digits)",
  PARCELA_LANGUAGE: "language of texts, en or pt (en; pt under galaxPay)",
  PARCELA_PUBLIC_URL: "base of links to boletos and Pix pages (where it listens)",
  PARCELA_TRUSTED_PROXIES: "proxies whose X-Forwarded-For counts (none)",
  PARCELA_ALLOWED_ORIGINS: "origins of pages that may call the interface (none)",
  PARCELA_REQUESTS: "tolerant, or strict (tolerant)",
  PARCELA_WEBHOOK_DESTINATIONS: "where webhooks may go: any, or public (any)",
  PARCELA_PIX_ACCOUNT: "file of an account at a provider of API Pix (none)",
  PARCELA_SIMULATORS: "anew: the simulated providers begin anew beside another database",
  PARCELA_KEEP_KEYS: "how long an Idempotency-Key is kept (always)",
  PARCELA_KEEP_TRIES: "how long tries of deliveries are kept (90 days)",
  PARCELA_KEEP_JOURNAL: "how long entries of the journal are kept (always)",
  PARCELA_LOG: "off, text or json (text on a terminal, else json)"
}

const width = Math.max(...settingNames.map(({ length }) => length))

export const help = [
  "Starts the sandbox, which runs until Ctrl+C. Its settings are variables of the environment, with their defaults:",
  "",
  ...settingNames.map((name) => `  ${name.padEnd(width)}  ${meanings[name]}`),
  "",
  "Another port, for one: PARCELA_PORT=8030 npm start"
].join("\n")
