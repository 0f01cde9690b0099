/**
 * The documentation of every variable that `Settings` reads, for `--help` and
 * `docs/reference/settings.md`.
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
  PARCELA_WEBHOOK_SECRET: {
    meaning: "secret that signs the deliveries, whsec_..",
    default: "required",
    details:
      "`GET /sandbox/companies/sandbox` returns it. During a rotation `whsec_new,whsec_old`; one entry for each sender, separated by spaces."
  },
  PARCELA_WEBHOOK_SECRET_FILE: { meaning: "file with the secret, in place of the variable", default: "none" },
  PARCELA_CONFIRM_HASH: {
    meaning: "confirmHash that PUT /webhooks returned",
    default: "required",
    details: "In the same order as the secrets."
  },
  PARCELA_CONFIRM_HASH_FILE: { meaning: "file with the confirmHash, in place of the variable", default: "none" },
  PARCELA_NAMING: { meaning: "naming profile of the sender", default: "svcPay" },
  PARCELA_RECEIVER_HOST: { meaning: "address to listen on", default: "127.0.0.1" },
  PARCELA_RECEIVER_PORT: { meaning: "port to listen on; 0 is any free port", default: "8027" },
  PARCELA_RECEIVER_DATABASE: {
    meaning: "SQLite file of received deliveries",
    default: ".parcela/receiver.db",
    details: "One receiver at a time may use it."
  },
  PARCELA_RECEIVER_OUTPUT: {
    meaning: "lines as text or json",
    default: "text",
    details: "`json` prints one JSON object for each new delivery."
  },
  PARCELA_RECEIVER_MAXIMUM_BYTES: { meaning: "largest body in bytes", default: "4194304", details: "At least 65536." },
  NO_COLOR: { meaning: "any value disables colours", default: "none" }
}

/** The command that shows the secrets of a sandbox. The shell inserts the sandbox's port. */
export const showSecrets = "curl http://127.0.0.1:${PARCELA_PORT:-8026}/sandbox/companies/sandbox"

const width = Math.max(...settingNames.map(({ length }) => length))

export const help = [
  "Starts the webhook receiver, which runs until Ctrl+C. Its settings are environment variables, with their defaults:",
  "",
  ...settingNames.map((name) => `  ${name.padEnd(width)}  ${settings[name].meaning} (${settings[name].default})`),
  "",
  `A sandbox on this machine shows the secret and the confirmHash: ${showSecrets}`,
  "For example, another port: PARCELA_RECEIVER_PORT=8031 parcela-webhook-receiver (in a clone: npm run -s receiver)"
].join("\n")
