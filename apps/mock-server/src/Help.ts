/**
 * The documentation of every variable in `Settings`, for `--help` and `docs/reference/settings.md`.
 *
 * @since 0.1.0
 */
import { type Variable, settingNames } from "./Settings.ts"

interface Setting {
  /** One line for `--help`. */
  readonly meaning: string
  readonly default: string
  /** Further sentences in Markdown, for the page of settings. */
  readonly details?: string
}

/** @public Also read by `tooling/diagrams`. */
export const settings: Readonly<Record<Variable, Setting>> = {
  PARCELA_HOST: {
    meaning: "address to listen on",
    default: "127.0.0.1",
    details: "Without a port. `0.0.0.0` is every address of the machine."
  },
  PARCELA_PORT: { meaning: "port to listen on; 0 is any free one", default: "8026" },
  PARCELA_DATABASE: {
    meaning: "SQLite file, :memory:, or postgres://..",
    default: ".parcela/sandbox.db",
    details:
      "One server at a time may use a SQLite file. Any number of servers may share `postgres://user:password@host:port/database`; the database must exist."
  },
  PARCELA_DATABASE_TIMEOUT: {
    meaning: "how long a request waits for PostgreSQL",
    default: "15 seconds",
    details: "`1 second` to `10 minutes`. After that the response is a 503, or a 500 if a COMMIT was under way."
  },
  PARCELA_KEY_FILE: {
    meaning: "file of the master key",
    default: "<SQLite file>.key or .parcela/postgres.key",
    details: "Created with a new database. All servers of one PostgreSQL database need the same key."
  },
  PARCELA_CLIENT_ID: { meaning: "client id of the first company", default: "sandbox" },
  PARCELA_CLIENT_SECRET: {
    meaning: "client secret of the first company",
    default: "sandbox-secret",
    details: "The default is accepted only from this machine."
  },
  PARCELA_CONTROLS_TOKEN: {
    meaning: "bearer token for /sandbox",
    default: "none: only programs on this machine",
    details: "24 characters or more. With a token, every request needs it and may come from another machine."
  },
  PARCELA_OPERATOR_TOKEN: {
    meaning: "bearer token for /admin",
    default: "none: only programs on this machine",
    details: "24 characters or more. With a token, every request needs it and may come from another machine."
  },
  PARCELA_NAMING: {
    meaning: "naming profile of keys and paths",
    default: "svcPay",
    details:
      "`galaxPay` returns `galaxPayId`, as clients of Galax Pay and Cel_cash expect. [Some decisions](../interface-decisions.md) differ under it."
  },
  PARCELA_CNPJ: {
    meaning: "digits, or letters too in a CNPJ",
    default: "digits; letters under galaxPay",
    details: "`letters` accepts a CNPJ with letters as a customer's `document`."
  },
  PARCELA_LANGUAGE: {
    meaning: "language of texts, en or pt",
    default: "en; pt under galaxPay",
    details: "Language of `statusDescription`, `reasonDenied` and error messages."
  },
  PARCELA_PUBLIC_URL: {
    meaning: "base URL of boletos and Pix pages",
    default: "where it listens",
    details: "`http` or `https`, at most 180 characters, no query."
  },
  PARCELA_TRUSTED_PROXIES: {
    meaning: "proxies whose X-Forwarded-For counts",
    default: "none",
    details: "Addresses and networks, such as `127.0.0.1,10.0.0.0/8`."
  },
  PARCELA_ALLOWED_ORIGINS: {
    meaning: "origins of pages that may call the API",
    default: "none",
    details: "Such as `https://shop.example,http://localhost:3000`; `*` is any origin."
  },
  PARCELA_REQUESTS: {
    meaning: "tolerant, or strict",
    default: "tolerant",
    details:
      "`tolerant` accepts numbers as text, `null` for absent values and unknown keys, which it names in `X-Unknown-Keys`. `strict` refuses all of that."
  },
  PARCELA_WEBHOOK_DESTINATIONS: {
    meaning: "where webhooks may go: any, or public",
    default: "any on loopback, else public",
    details:
      "`any` includes private networks, `public` does not. `public,10.1.2.3,192.168.0.0/16` adds exceptions. Metadata services of clouds are never reached. The default is `any` where `PARCELA_HOST` is a loopback address."
  },
  PARCELA_PIX_ACCOUNT: {
    meaning: "file of an account at a provider of API Pix",
    default: "none",
    details:
      'A JSON file. With an account, Pix payments are made there, and not by the simulated provider. `{ "companies": { "1": {..}, "2": {..} } }` has an account for each company, by its number; a Pix of a company without one waits.'
  },
  PARCELA_SIMULATORS: {
    meaning: "empty the simulated providers' store: reset",
    default: "none",
    details:
      "Set to `reset` after restoring only one of the two databases: the simulated providers keep only cards. Without it the server refuses to start in that case."
  },
  PARCELA_SIMULATE_PAYMENTS: {
    meaning: "pages that pay without money: on or off",
    default: "on on loopback with the default secret, else off",
    details:
      "Anyone with the link of a boleto or a Pix can pay it on such a page, so leave this off when others have links. The server refuses forms of other sites."
  },
  PARCELA_KEEP_KEYS: {
    meaning: "how long an Idempotency-Key is stored",
    default: "always",
    details: "`always`, or `1 day` or more."
  },
  PARCELA_KEEP_ATTEMPTS: { meaning: "how long delivery attempts are stored", default: "90 days" },
  PARCELA_KEEP_JOURNAL: { meaning: "how long journal entries are stored", default: "always" },
  PARCELA_LOG: {
    meaning: "off, text or json",
    default: "text on a terminal, else json",
    details: "One line for each request, on standard error."
  }
}

const width = Math.max(...settingNames.map(({ length }) => length))

export const help = [
  "Starts the sandbox, which runs until Ctrl+C. Its settings are environment variables, with their defaults:",
  "",
  ...settingNames.map((name) => `  ${name.padEnd(width)}  ${settings[name].meaning} (${settings[name].default})`),
  "",
  "For example, another port: PARCELA_PORT=8030 parcela-sandbox (in a clone: npm start)"
].join("\n")
