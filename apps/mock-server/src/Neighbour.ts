/**
 * Identifies the program that uses the wanted port.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

export type Neighbour = "parcela" | "other"

/** Returns a host to connect to: the loopback address for a server that listens on every address. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/**
 * Requests `/health` and the challenge at `/v2/token`, which every Parcela returns. Any other behaviour means another
 * program.
 */
export const neighbourAt = (host: string, port: number): Effect.Effect<Neighbour> =>
  Effect.tryPromise(async (signal): Promise<Neighbour> => {
    const base = `http://${reachable(host)}:${port}`
    const health = await fetch(`${base}/health`, { signal })
    // A value without properties would throw, and the caller treats the error as another program.
    const { status } = (await health.json()) as { readonly status?: unknown }
    const challenge = await fetch(`${base}/v2/token`, { method: "POST", signal, body: "grant_type=client_credentials" })
    const realm = challenge.headers.get("www-authenticate") ?? ""
    return status === "ok" && realm.includes('realm="parcela"') ? "parcela" : "other"
  }).pipe(
    // A Parcela that has just started builds its routes at the first requests.
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => "other" as const)
  )
