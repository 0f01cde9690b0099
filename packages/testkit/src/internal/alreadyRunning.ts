/** A sandbox that another process started. */
import * as Redacted from "effect/Redacted"
import type { ConnectOptions } from "../Sandbox.ts"
import { controlsOf } from "./controls.ts"
import { noticedAtOnce, type Running } from "./running.ts"

export const alreadyRunning = async (options: ConnectOptions): Promise<Running> => {
  const { clientId = "sandbox", clientSecret = "sandbox-secret" } = options
  const url = options.url.replace(/\/+$/u, "")
  const presence = { gone: () => undefined, noticed: noticedAtOnce }
  const keys = await controlsOf(clientOptions({ ...options, url }), presence).companies.find(clientId)
  return { url, keys: { ...keys, clientSecret }, pid: undefined, logs: () => [], ...presence, stop: async () => {} }
}

/** Options of the client of the controls. */
export const clientOptions = ({ controlsToken, url }: Pick<ConnectOptions, "controlsToken" | "url">) => ({
  baseUrl: `${url}/sandbox`,
  controlsToken: controlsToken === undefined ? undefined : Redacted.make(controlsToken)
})
