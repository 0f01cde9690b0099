/** An endpoint of a company inside this process, which verifies and collects deliveries. */
import * as Signature from "@parcela/webhooks/Signature"
import * as WebhookSecret from "@parcela/webhooks/WebhookSecret"
import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import type { WaitOptions } from "../Events.ts"
import type { ReceivedWebhook, ReceiverOptions, WebhookBody, WebhookEvent, WebhookReceiver } from "../Webhooks.ts"
import { locatingAll } from "./caller.ts"
import type { Controls } from "./controls.ts"
import { endpointFor } from "./deliveries.ts"
import { arrivalsOf, awaited } from "./waiting.ts"

const listening = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    // A server that listens on a port has an address with one.
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port))
  })

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const mac = Layer.provide(Mac.layerWebCrypto, SecureRandom.layerWebCrypto)

/** The problem of a request that the sandbox did not sign, or undefined. */
const problemOf = async (secret: WebhookSecret.WebhookSecret, headers: Record<string, string>, body: Buffer) => {
  const verified = Signature.verify({ headers, body, secrets: [secret] })
  const result = await Effect.runPromise(Effect.result(Effect.provide(verified, mac)))
  return Result.isSuccess(result) ? undefined : result.failure.message
}

export const receiverFor = async (
  controls: Controls,
  clientId: string,
  { events, respond }: ReceiverOptions
): Promise<WebhookReceiver> => {
  const arrivals = arrivalsOf<ReceivedWebhook>((one) => one.event)
  const refused: Array<string> = []
  // A delivery may arrive before the response with its secret.
  const secret = Promise.withResolvers<WebhookSecret.WebhookSecret>()

  const statusOf = async (request: IncomingMessage): Promise<number> => {
    const body = await buffer(request)
    const headers = headersOf(request)
    const problem = await problemOf(await secret.promise, headers, body)
    if (problem !== undefined) {
      refused.push(problem)
      return 401
    }
    const text = body.toString("utf8")
    // The sandbox signed it, so it has this type.
    const parsed = JSON.parse(text) as WebhookBody
    const webhook = { event: parsed.event, webhookId: parsed.webhookId, body: parsed, text, headers }
    arrivals.all.push(webhook)
    return respond === undefined ? 200 : await respond(webhook)
  }
  const server = createServer((request, response) => {
    void statusOf(request)
      .then((status) => response.writeHead(status))
      .catch((error: unknown) => {
        refused.push(String(error))
        return response.writeHead(500)
      })
      .then((response) => response.end())
  })
  const endServer = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const port = await listening(server)
  const url = `http://127.0.0.1:${port}/`
  const endpoint = await endpointFor(controls, clientId, { url, events }).catch(async (error: unknown) => {
    await endServer()
    throw error
  })
  // The sandbox makes no other secrets.
  secret.resolve(Result.getOrThrow(WebhookSecret.parse(endpoint.secret)))

  let closed: Promise<void> | undefined
  const end = async () => {
    // Closed before the sandbox: it must send nothing more here.
    await controls.endpoints.remove({ clientId, endpointId: endpoint.endpointId }).catch(() => {})
    await endServer()
  }
  const close = () => (closed ??= end())
  const next = (event?: WebhookEvent, options: WaitOptions<ReceivedWebhook> = {}): Promise<ReceivedWebhook> =>
    awaited(
      async () => arrivals.take(event, options),
      options.timeout,
      (milliseconds) =>
        [
          `No ${event ?? "webhook"}${options.where === undefined ? "" : " that fits"} came within ${milliseconds} ms. What came: ${arrivals.summary()}`,
          ...refused.map((problem) => `Refused: ${problem}`)
        ].join("\n")
    )
  return { ...endpoint, received: arrivals.all, ...locatingAll({ next, close, [Symbol.asyncDispose]: close }) }
}
