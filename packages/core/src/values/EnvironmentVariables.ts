/**
 * The environment variables of Parcela's programs. The programs share one environment, so each of them can report a
 * misspelt variable.
 *
 * @since 0.1.0
 */
import { isWithin } from "../internal/requestFields.ts"

const prefix = "PARCELA_"

const sandbox = [
  "HOST",
  "PORT",
  "DATABASE",
  "DATABASE_TIMEOUT",
  "KEY_FILE",
  "CLIENT_ID",
  "CLIENT_SECRET",
  "CONTROLS_TOKEN",
  "OPERATOR_TOKEN",
  "NAMING",
  "CNPJ",
  "LANGUAGE",
  "PUBLIC_URL",
  "TRUSTED_PROXIES",
  "ALLOWED_ORIGINS",
  "REQUESTS",
  "WEBHOOK_DESTINATIONS",
  "PIX_ACCOUNT",
  "SIMULATORS",
  "SIMULATE_PAYMENTS",
  "KEEP_KEYS",
  "KEEP_ATTEMPTS",
  "KEEP_JOURNAL",
  "LOG"
]

const receiver = [
  "WEBHOOK_SECRET",
  "WEBHOOK_SECRET_FILE",
  "CONFIRM_HASH",
  "CONFIRM_HASH_FILE",
  "RECEIVER_HOST",
  "RECEIVER_PORT",
  "RECEIVER_DATABASE",
  "RECEIVER_OUTPUT",
  "RECEIVER_MAXIMUM_BYTES"
]

const pixSimulator = [
  "PIX_HOST",
  "PIX_PORT",
  "PIX_DATABASE",
  "PIX_CLIENT_ID",
  "PIX_CLIENT_SECRET",
  "PIX_KEY",
  "PIX_CLOCK"
]

const clients = ["BASE_URL", "SCOPE", "TIMEOUT", "RETRIES", "CONFIG"]

const tests = ["PROVE", "TEST_POSTGRES", "TEST_POSTGRES_SOCKET"]

const known: ReadonlyArray<string> = [...sandbox, ...receiver, ...pixSimulator, ...clients, ...tests].map(
  (name) => prefix + name
)

/**
 * Returns a sentence for each variable that has the programs' prefix and is unknown.
 *
 * @category getters
 * @since 0.1.0
 */
export const unknownVariables = (names: Iterable<string>): ReadonlyArray<string> =>
  Array.from(names)
    .filter((name) => name.toUpperCase().startsWith(prefix) && !known.includes(name))
    .sort()
    .map((name) => {
      const similar = nearestName(name.toUpperCase())
      return `${name} is no setting${similar === undefined ? "" : `: did you mean ${similar}?`}`
    })

/** Returns the known name with the fewest edits: at most a third of the name after the prefix, and at least two. */
const nearestName = (name: string): string | undefined => {
  const maxEdits = Math.max(2, (name.length - prefix.length) / 3)
  for (let edits = 0; edits <= maxEdits; edits++) {
    const similar = known.find((candidate) => isWithin(name, candidate, edits))
    if (similar !== undefined) return similar
  }
  return undefined
}
