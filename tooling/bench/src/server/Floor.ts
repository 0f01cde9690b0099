/**
 * What a floor serves: the same bytes as the server's own responses, after the least that a service must do: check who
 * asks, read the body, and, for the delivery, sign and send it.
 */
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"

export interface FloorRoute {
  readonly method: "GET" | "POST" | "PUT"
  /** With its query. A segment that differs from request to request is `:id`. */
  readonly path: string
  readonly requestBody: unknown
  readonly response: string
  /** Where an event with the same bytes goes to after the response; `myId` is read from the request. */
  readonly deliverTo?: string
}

export interface FloorSetup {
  readonly authorization: { readonly basic: string; readonly bearers: ReadonlyArray<string> }
  readonly routes: ReadonlyArray<FloorRoute>
}

/** The file that is the program's argument: what is served is known before the first request. */
export const setup = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as FloorSetup

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Signs an event of this size and sends it, as a webhook is sent. */
export const deliver = (url: string, payload: string, requestBody: unknown): void => {
  const { myId } = requestBody as { readonly myId: string }
  const body = JSON.stringify({ event: "subscription.addTransaction", Transaction: { myId }, payload })
  const signature = createHmac("sha256", "secret").update(body).digest("base64")
  const sent = request(url, {
    agent,
    method: "POST",
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), signature }
  })
  sent.on("response", (response) => response.resume())
  // The bench waits for the delivery, and says so when it does not come.
  sent.on("error", () => undefined)
  sent.end(body)
}
