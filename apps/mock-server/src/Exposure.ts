/**
 * What a sandbox that other machines reach with the well-known secret says at its start: who may do what, and how that is changed.
 *
 * @since 0.1.0
 */
import { hasWellKnownSecret, isExposed } from "@parcela/sandbox/SandboxOptions"
import type { Settings } from "./Settings.ts"

/** The warning; none where only this machine reaches the server, or the secret is one that somebody chose. */
export const exposure = ({ clientSecret, host }: Pick<Settings, "clientSecret" | "host">): string | undefined => {
  if (!isExposed({ host }) || !hasWellKnownSecret({ clientSecret })) return undefined
  return (
    `PARCELA_HOST is ${host}: other machines reach this server, and its client secret is the one that everybody knows. ` +
    "That one is taken from this machine alone, so others get no token. They see /docs, /health and each document that they have the link of; " +
    "/sandbox and /admin want a token from them (PARCELA_CONTROLS_TOKEN, PARCELA_OPERATOR_TOKEN), and refuse them where none is set. " +
    "Set PARCELA_CLIENT_SECRET to let them log in, or leave PARCELA_HOST out to keep them away."
  )
}
