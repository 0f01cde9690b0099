/**
 * Who listens on a port that was wanted.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"

export type Neighbour = "parcela" | "other"

/** An address to connect to: a server that listens on every address is asked on this machine. */
const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

/** Asks `/health`, and for the challenge that every Parcela gives at `/v2/token`; whatever is silent or odd is another. */
export const neighbourAt = (host: string, port: number): Effect.Effect<Neighbour> =>
  Effect.tryPromise(async (signal): Promise<Neighbour> => {
    const base = `http://${reachable(host)}:${port}`
    const health = await fetch(`${base}/health`, { signal })
    // A property of what is no object would throw, which the caller takes for no neighbour.
    const { status } = (await health.json()) as { readonly status?: unknown }
    const challenge = await fetch(`${base}/v2/token`, { method: "POST", signal, body: "grant_type=client_credentials" })
    const realm = challenge.headers.get("www-authenticate") ?? ""
    return status === "ok" && realm.includes('realm="parcela"') ? "parcela" : "other"
  }).pipe(
    // One that has just started makes what answers requests at the first of them.
    Effect.timeout("5 seconds"),
    Effect.orElseSucceed(() => "other" as const)
  )
