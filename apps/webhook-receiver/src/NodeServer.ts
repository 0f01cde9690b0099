/**
 * Node's HTTP server with limits on how slowly a request may arrive, and on how many bodies arrive at a time: who sent
 * one is not known before it is whole.
 *
 * @since 0.1.0
 */
import { type BodyLimits, BufferedBodies, BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import { BurstResponse } from "@parcela/webhooks/node/BurstResponse"
import { LingeringServer } from "@parcela/webhooks/node/LingeringServer"
import { respondRaw } from "@parcela/webhooks/node/RawResponse"
import { defaultMaximumBytes } from "@parcela/webhooks/Receiver"
import type { IncomingHttpHeaders, OutgoingHttpHeaders, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How long a request may take to arrive, in milliseconds. */
export interface ArrivalLimits {
  readonly header: number
  /** Header and body together. */
  readonly request: number
}

export interface NodeServerOptions {
  readonly arrival?: ArrivalLimits
  readonly bodies?: Partial<BodyLimits>
  /** As `LingeringServer` has it. */
  readonly lingering?: number
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

/** Seconds after which a sender is asked to send a delivery again that could not be stored. */
const untilStored = "5"

const arrivalFaults: { readonly [code: string]: readonly [status: number, message: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive"],
  HPE_HEADER_OVERFLOW: [431, "The header fields are too large"]
}

const malformed = [400, "This is not an HTTP request"] as const

const ending = "The receiver ends"

const busy = "Too many deliveries are arriving: send it again"

class BoundedServer extends LingeringServer {
  private readonly bodies: BufferedBodies
  private readonly deliver: NodeServerOptions["deliver"]
  private readonly refused: NodeServerOptions["refused"]
  /** Connections whose bytes were refused: what else comes on them is read no more. */
  private readonly ended = new WeakSet<Socket>()
  /** The response of each connection that is written last. */
  private readonly last = new WeakMap<Socket, ServerResponse>()

  constructor({ arrival = defaultArrival, bodies = {}, deliver, lingering, refused }: NodeServerOptions) {
    super(
      {
        IncomingMessage: BufferedRequest,
        ServerResponse: BurstResponse,
        headersTimeout: arrival.header,
        requestTimeout: arrival.request,
        // Node by itself looks for requests that are too slow every 30 s.
        connectionsCheckingInterval: Math.min(1_000, arrival.header)
      },
      { lingering, longest: arrival.request }
    )
    const { each = defaultMaximumBytes } = bodies
    this.bodies = new BufferedBodies({ arriving: 1_024, bytes: allBodies(each), ...bodies, each })
    this.deliver = deliver
    this.refused = refused
    // Node's types say Duplex; of an HTTP server it is a socket.
    this.on("clientError", (error: NodeJS.ErrnoException, socket) => this.refuseBytes(error, socket as Socket))
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
    this.last.set(request.socket, response)
    const isToCome = this.bodies.receive({
      request,
      response,
      arrived: () => {
        this.bodies.release(request)
        const { headers, method, whole } = request
        if (method === "POST" && whole !== undefined) {
          // What has come by the stream of the request too is not read there.
          this.deliver(whole, headers, (status, json) => this.respond(response, status, json))
        } else if (!super.emit("request", request, response)) this.respond(response, 503, problem(ending))
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
      ...(status === 503 ? { "retry-after": untilStored } : {}),
      ...headers
    })
    response.end(json)
  }

  private refuse(response: ServerResponse): void {
    this.respond(response, 503, problem(busy), { "retry-after": "1", connection: "close" })
    this.refused?.(503, busy)
  }

  /** What came is no request, or did not come in time. */
  private refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy()
      return
    }
    // Node reports each piece of what is no request.
    if (this.ended.has(socket)) return
    this.ended.add(socket)
    const [status, message] = arrivalFaults[error.code ?? ""] ?? malformed
    this.refused?.(status, message)
    const arrival = this.bodies.abandon(socket)
    const last = this.last.get(socket)
    if (arrival !== undefined) this.respond(arrival.response, status, problem(message), { connection: "close" })
    // Responses to what came before go first.
    else if (last === undefined || last.writableFinished) respondRaw(socket, status, problem(message))
    else last.once("close", () => respondRaw(socket, status, problem(message)))
  }
}

const problem = (message: string): string => JSON.stringify({ error: { message } })

/** A server that looks every second for requests that are too slow, and that hands requests on with their whole bodies. */
export const makeNodeServer = (options: NodeServerOptions): Server => new BoundedServer(options)
