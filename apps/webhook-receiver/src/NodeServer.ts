/**
 * Node's HTTP server with limits on how slowly a request may arrive, and on how many bodies arrive at a time: who sent
 * one is not known before it is whole.
 *
 * @since 0.1.0
 */
import { type BodyLimits, BufferedBodies, BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import { BurstResponse } from "@parcela/webhooks/node/BurstResponse"
import { defaultMaximumBytes } from "@parcela/webhooks/Receiver"
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, Server, type ServerResponse } from "node:http"

/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalLimits {
  readonly header: number
  /** Header and body together. */
  readonly request: number
}

export interface NodeServerOptions {
  readonly arrival?: ArrivalLimits
  readonly bodies?: Partial<BodyLimits>
  /** Responds to a POST, whose body is whole. */
  readonly deliver: (
    body: Uint8Array,
    headers: IncomingHttpHeaders,
    respond: (status: number, json: string) => void
  ) => void
  /** Called for each request that is refused here, with the status and why. */
  readonly refused?: (status: number, message: string) => void
}

// A sender has 5 seconds; one that needs much longer keeps a connection for nothing.
const defaultArrival: ArrivalLimits = { header: 10_000, request: 30_000 }

/** Sixteen bodies of the largest size that is read unless said otherwise, and two of any other. */
const allBodies = (each: number): number => Math.max(16 * defaultMaximumBytes, 2 * each)

const busy = "Too many deliveries are arriving: send it again"

class BoundedServer extends Server<typeof BufferedRequest, typeof BurstResponse> {
  private readonly bodies: BufferedBodies
  private readonly deliver: NodeServerOptions["deliver"]
  private readonly refused: NodeServerOptions["refused"]

  constructor({ arrival = defaultArrival, bodies = {}, deliver, refused }: NodeServerOptions) {
    super({
      IncomingMessage: BufferedRequest,
      ServerResponse: BurstResponse,
      headersTimeout: arrival.header,
      requestTimeout: arrival.request,
      // Node by itself looks for requests that are too slow every 30 s.
      connectionsCheckingInterval: Math.min(1_000, arrival.header)
    })
    const { each = defaultMaximumBytes } = bodies
    this.bodies = new BufferedBodies({ arriving: 1_024, bytes: allBodies(each), ...bodies, each })
    this.deliver = deliver
    this.refused = refused
    // With a listener Node leaves it to `emit` to ask for a body.
    this.on("checkContinue", () => {})
    // Effect's server listens for upgrades, and then no body of such a request is read. Without a listener Node reads it as the
    // ordinary request that it also is (RFC 9110, 7.8): HTTP clients that know HTTP/2 send deliveries so.
    this.on("newListener", (event) => {
      if (event === "upgrade") queueMicrotask(() => this.removeAllListeners("upgrade"))
    })
  }

  /** Requests are handed on when their bodies are whole. */
  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    // Node's types know the values of each event by its name, which is open here.
    const [request, response] = values as [BufferedRequest, ServerResponse]
    if (event !== "request" && event !== "checkContinue") {
      // As above.
      return super.emit(event as "request", ...(values as [BufferedRequest, ServerResponse]))
    }
    const isToCome = this.bodies.receive({
      request,
      response,
      arrived: () => {
        this.bodies.release(request)
        const { headers, method, whole } = request
        if (method !== "POST" || whole === undefined) super.emit("request", request, response)
        // What has come by the stream of the request too is not read there.
        else this.deliver(whole, headers, (status, json) => this.respond(response, status, json))
      },
      refused: () => this.refuse(response),
      dropped: () => {}
    })
    if (isToCome && event === "checkContinue") response.writeContinue()
    return true
  }

  private respond(response: ServerResponse, status: number, json: string, headers: OutgoingHttpHeaders = {}): void {
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      // A connection that is kept would hold up the end of the server.
      ...(this.listening ? {} : { connection: "close" }),
      ...headers
    })
    response.end(json)
  }

  private refuse(response: ServerResponse): void {
    this.respond(response, 503, JSON.stringify({ error: { message: busy } }), {
      "retry-after": "1",
      connection: "close"
    })
    this.refused?.(503, busy)
  }
}

/** A server that looks every second for requests that are too slow, and that hands requests on with their whole bodies. */
export const makeNodeServer = (options: NodeServerOptions): Server => new BoundedServer(options)
