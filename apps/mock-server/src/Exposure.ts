/**
 * The warning at start about a sandbox that other machines can reach with the default secret.
 *
 * @since 0.1.0
 */
import { hasWellKnownSecret, isExposed } from "@parcela/sandbox/SandboxOptions"
import type { Settings } from "./Settings.ts"

/** Returns the warning, or undefined if only this machine can reach the server or the secret is not the default. */
export const exposure = ({ clientSecret, host }: Pick<Settings, "clientSecret" | "host">): string | undefined => {
  if (!isExposed({ host }) || !hasWellKnownSecret({ clientSecret })) return undefined
  return (
    `PARCELA_HOST is ${host}: other machines reach this server, and its client secret is the one that everybody knows. ` +
    "That one is taken from this machine alone, so others get no token. They see /docs, /health and each document that they have the link of; " +
    "/sandbox and /admin want a token from them (PARCELA_CONTROLS_TOKEN, PARCELA_OPERATOR_TOKEN), and refuse them where none is set. " +
    "Set PARCELA_CLIENT_SECRET to let them log in, or leave PARCELA_HOST out to keep them away."
  )
}
