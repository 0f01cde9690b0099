/**
 * What `--help` prints: how the receiver is set up, by every variable that `Settings` reads.
 *
 * @since 0.1.0
 */
import { type Variable, settingNames } from "./Settings.ts"

/** What each variable is for, with its default. */
const meanings: Readonly<Record<Variable, string>> = {
  PARCELA_WEBHOOK_SECRET: "secret that the sender signs with, whsec_.. (required)",
  PARCELA_WEBHOOK_SECRET_FILE: "in its place: a file that has it",
  PARCELA_CONFIRM_HASH: "confirmHash that editing the webhooks returned (required)",
  PARCELA_CONFIRM_HASH_FILE: "in its place: a file that has it",
  PARCELA_NAMING: "the service's name in keys (svcPay)",
  PARCELA_RECEIVER_HOST: "address to listen on (127.0.0.1)",
  PARCELA_RECEIVER_PORT: "port to listen on; 0 is any free one (8027)",
  PARCELA_RECEIVER_DATABASE: "SQLite file of what was received (.parcela/receiver.db)",
  PARCELA_RECEIVER_OUTPUT: "lines as text or json (text)",
  PARCELA_RECEIVER_MAXIMUM_BYTES: "largest body that is read (4194304)",
  NO_COLOR: "any value switches colours off"
}

const width = Math.max(...settingNames.map(({ length }) => length))

export const help = [
  "Starts the webhook receiver, which runs until Ctrl+C. Its settings are variables of the environment, with their defaults:",
  "",
  ...settingNames.map((name) => `  ${name.padEnd(width)}  ${meanings[name]}`),
  "",
  "A sandbox on this machine shows the secret and the confirmHash: curl http://127.0.0.1:8026/sandbox/companies/sandbox",
  "Another port, for one: PARCELA_RECEIVER_PORT=8031 npm run -s receiver"
].join("\n")
