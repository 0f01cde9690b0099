/**
 * Node's HTTP server with the limits of a public service: it bounds how long a request may take to arrive, how many
 * arrive and how many are under way, and whatever it refuses gets an error node and a request id too.
 *
 * @since 0.1.0
 */
import type { Language } from "@parcela/core/language/Translation"
import { maximumBody } from "@parcela/http/ErrorResponse"
import * as RequestBody from "@parcela/http/RequestBody"
import {
  type ApiError,
  BadRequest,
  Internal,
  MethodNotAllowed,
  PayloadTooLarge,
  Unavailable
} from "@parcela/transport/ApiError"
import { type BodyLimits, BufferedBodies, BufferedRequest } from "@parcela/webhooks/node/BufferedBodies"
import { LingeringServer } from "@parcela/webhooks/node/LingeringServer"
import { respondRaw } from "@parcela/webhooks/node/RawResponse"
import * as ByteSize from "effect/ByteSize"
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { jsonOf, respond } from "./ErrorResponses.ts"
import { invalidHeadersOf } from "./InvalidHeaders.ts"
import { defaultLimits, type QueueLimits, RequestQueue } from "./RequestQueue.ts"
import { type Response, responses } from "./Responses.ts"

/**
 * How long a request may take to arrive, in milliseconds.
 *
 * @category options
 * @since 0.1.0
 */
export interface ArrivalLimits {
  readonly header: number
  /** Header and body together. */
  readonly request: number
}

/** One body of the largest size that is read, 1,024 bodies that arrive, 64 MiB in all. */
const defaultBodyLimits: BodyLimits = {
  each: ByteSize.toNumberUnsafe(maximumBody),
  arriving: 1_024,
  bytes: 67_108_864
}

/**
 * A response that was sent, or that nobody waited for any more.
 *
 * @category models
 * @since 0.1.0
 */
export interface Responded {
  /** The request; undefined where what came was none. */
  readonly request: IncomingMessage | undefined
  readonly requestId: string
  /** Undefined when the client hung up before the response was sent. */
  readonly status: number | undefined
  /** From the arrival of the header to the end of the response. */
  readonly milliseconds: number
}

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeServerOptions {
  /** The time in milliseconds, from any beginning: turns of the queue and durations are measured by it. */
  readonly now: () => number
  readonly arrival?: ArrivalLimits
  readonly queue?: Partial<QueueLimits>
  readonly bodies?: Partial<BodyLimits>
  /** The language of its own refusals; default `en`. */
  readonly language?: Language
  /** A text that no other server has, which request ids begin with. */
  readonly requestIdPrefix?: string
  /** As `LingeringServer` has it. */
  readonly lingering?: number | undefined
  /** How long requests have to finish once the server is closed, in milliseconds: all connections are closed soon after. Default 10 s. */
  readonly finishing?: number
  /** Called when a request arrives. */
  readonly onRequest?: ((request: IncomingMessage) => void) | undefined
  /** Called with what keeps a response from being made or written: its connection is closed then. */
  readonly onFault?: ((fault: unknown) => void) | undefined
  /** Called when the server stops taking requests, with how many have no response yet. */
  readonly onClose?: ((requests: number) => void) | undefined
  /** Called for every response. */
  readonly onResponse?: ((responded: Responded) => void) | undefined
}

/**
 * How long a connection may be idle, as the header `Keep-Alive` says: longer than proxies keep theirs, which is a minute mostly. How
 * many may be is bounded by the system's limit of open files alone: a bound here would let whoever opens many keep others out sooner.
 */
const longestIdle = 65_000

/** How much later it is closed: a request that comes as it is would be lost, and its client could not know whether it was done. */
const idleGrace = 10_000

/** How long after its time is over a request that has not finished has for its 500. */
const timeToSay = 500

const arrivalFaults: { readonly [code: string]: readonly [status: number, error: ApiError] } = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, new BadRequest({ message: "The request took too long to arrive" })],
  HPE_HEADER_OVERFLOW: [431, new PayloadTooLarge({ message: "The header fields are too large" })]
}

const malformed = [400, new BadRequest({ message: "This is not an HTTP request" })] as const

const expectation = new BadRequest({ message: "Of all expectations only 100-continue is understood" })

const starting = new Unavailable({ message: "The service is starting: try again in a second" })

const stopping = new Unavailable({ message: "The service is stopping: nothing was changed, try again" })

const busy = new Unavailable({ message: "The service has too many requests: nothing was changed, try again" })

const broken = new Internal({ message: "The request failed: what was requested may have been done" })

const stopped = new Internal({
  message: "The service was stopped before it had a response: what was requested may have been done"
})

const noTunnel = new MethodNotAllowed({ message: "This is no proxy: it takes no CONNECT" })

const inASecond = { "retry-after": "1" }

/** What a client may send as the id of its request, so that it can stand in a header and in a line of a log. */
const isRequestId = (text: string): boolean => /^[\w.~:+/=@-]{1,128}$/.test(text)

/** A supervisor that asks how the server is must get through, however many wait. */
const isHealthCheck = ({ method, url }: IncomingMessage): boolean => method === "GET" && url === "/health"

class BoundedServer extends LingeringServer<typeof Response> {
  private readonly queue: RequestQueue
  private readonly bodies: BufferedBodies
  private readonly options: NodeServerOptions
  private requests = 0

  constructor(options: NodeServerOptions) {
    const { header, request } = options.arrival ?? { header: 10_000, request: 30_000 }
    super(
      {
        IncomingMessage: BufferedRequest,
        ServerResponse: responses(options.onFault),
        requestTimeout: request,
        headersTimeout: header,
        // Node looks for what is too slow every 30 s, which would make 40 s out of 10 s.
        connectionsCheckingInterval: Math.min(1_000, header),
        keepAliveTimeout: longestIdle,
        keepAliveTimeoutBuffer: idleGrace,
        // Node's own response to a missing Host has no body.
        requireHostHeader: false,
        // The stream of a request that has no body would pass through four ticks to say so, which nobody waits for.
        optimizeEmptyRequests: true
      },
      { lingering: options.lingering, longest: (options.finishing ?? 10_000) + timeToSay }
    )
    this.options = options
    this.queue = new RequestQueue({ ...defaultLimits, ...options.queue }, options.now)
    this.bodies = new BufferedBodies({ ...defaultBodyLimits, ...options.bodies })
    this.on("connection", () => this.queue.connected())
    this.on("clientError", (error: NodeJS.ErrnoException, socket) => this.refuseBytes(error, socket))
    this.on("checkExpectation", (request, response) => {
      this.arrive(request, response)
      this.say(response, 417, expectation, { connection: "close" })
    })
    this.on("connect", (request, socket) => {
      const requestId = this.requestIdOf(request)
      // Node no longer listens to this socket: a reset would be an exception that nobody catches.
      socket.on("error", () => socket.destroy())
      // Responses to what came before go first.
      this.queue.finish(request.socket, () => {
        respondRaw(socket, 405, this.bodyOf(noTunnel), { allow: "GET, POST, PUT, DELETE", "x-request-id": requestId })
        this.options.onResponse?.({ request, requestId, status: 405, milliseconds: 0 })
      })
    })
    // With a listener Node leaves it to `emit` to ask for a body.
    this.on("checkContinue", () => {})
    // Without a listener Node reads a request to upgrade as the ordinary request that it also is (RFC 9110, 7.8).
    this.on("newListener", (event) => {
      if (event === "upgrade") queueMicrotask(() => this.removeAllListeners("upgrade"))
    })
    this.on("removeListener", (event) => {
      if (event === "request" && !this.listening) this.abandon()
    })
  }

  /** Requests pass through the queue, with their bodies, on their way to the listener. */
  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    // Node's types know the values of each event by its name, which is open here.
    const [request, response] = values as [BufferedRequest, Response]
    if (event !== "request" && event !== "checkContinue") {
      // As above.
      return super.emit(event as "request", ...(values as [BufferedRequest, Response]))
    }
    if (this.queue.isFinished(request.socket)) return true
    const dropped = this.arrive(request, response)
    const fault = invalidHeadersOf(request)
    if (fault !== undefined) this.refuse(request, response, fault.status, fault.error)
    // The port is taken before the service is ready, and Node leaves a request that nobody listens for without one.
    else if (this.listenerCount("request") === 0) this.refuse(request, response, 503, this.notReady)
    else if (isHealthCheck(request) && !this.queue.isBusy(request.socket)) super.emit("request", request, response)
    else {
      const refused = () => this.refuse(request, response, 503, busy)
      const arrived = () => this.wait(request, response, dropped)
      const isToCome = this.bodies.receive({ request, response, arrived, refused, dropped })
      // Without it the body does not come, and the request has no place before it has.
      if (isToCome && event === "checkContinue") response.writeContinue()
    }
    return true
  }

  /** Responses that are still to be sent say that they are the last of their connection. */
  override close(callback?: (error?: Error) => void): this {
    const responses = this.queue.lastResponses()
    for (const { request, response } of this.bodies.arriving()) responses.set(request.socket, response)
    for (const response of responses.values()) this.sayLast(response)
    if (this.listening) this.options.onClose?.(this.queue.size + this.bodies.arriving().length)
    return super.close(callback)
  }

  /** Why nobody listens for requests. */
  private get notReady(): ApiError {
    return this.listening ? starting : stopping
  }

  private sayLast(response: ServerResponse): void {
    if (!response.headersSent) response.setHeader("connection", "close")
  }

  /** The listener was removed while requests have no response. Effect would send a 503, which stands for what has changed nothing. */
  private abandon(): void {
    for (const response of this.queue.responsesUnderWay()) this.say(response, 500, stopped, { connection: "close" })
  }

  private wait(request: BufferedRequest, response: Response, dropped: () => void): void {
    const handOn = () => this.handOn(request, response)
    const failed = (fault: unknown) => {
      this.options.onFault?.(fault)
      if (response.headersSent) request.socket.destroy()
      else this.say(response, 500, broken, { connection: "close" })
    }
    if (!this.queue.take({ request, response, bytes: request.held, dropped, handOn, failed })) {
      this.refuse(request, response, 503, busy)
    }
  }

  private handOn(request: BufferedRequest, response: Response): void {
    this.bodies.release(request)
    if (request.whole !== undefined) RequestBody.keep(request, request.whole)
    // The service may have stopped while the request waited.
    if (this.listenerCount("request") > 0) super.emit("request", request, response)
    else this.say(response, 503, this.notReady, inASecond)
  }

  /** A refusal, after which nothing more of the connection is read: what follows may not be what it seems. */
  private refuse(request: BufferedRequest, response: ServerResponse, status: number, error: ApiError): void {
    this.bodies.release(request)
    // The response may have to wait for others of its connection: the body need not.
    request.resume()
    this.queue.finish(request.socket)
    this.say(response, status, error, { connection: "close", ...(status === 503 ? inASecond : {}) })
  }

  private say(response: ServerResponse, status: number, error: ApiError, headers: OutgoingHttpHeaders): void {
    respond(response, status, this.bodyOf(error), headers)
  }

  private bodyOf(error: ApiError): string {
    return jsonOf(error, this.options.language ?? "en")
  }

  private requestIdOf(request: IncomingMessage | undefined): string {
    const given = request?.headers["x-request-id"]
    if (typeof given === "string" && isRequestId(given)) return given
    return `${this.options.requestIdPrefix ?? ""}${(++this.requests).toString(36)}`
  }

  /** Names the request; what it returns is called when its response is over where Node does not say so. */
  private arrive(request: IncomingMessage, response: Response): () => void {
    const requestId = this.requestIdOf(request)
    request.headers["x-request-id"] = requestId
    response.requestId = requestId
    if (!this.listening) this.sayLast(response)
    const { onRequest, onResponse } = this.options
    onRequest?.(request)
    const arrived = onResponse === undefined ? 0 : this.options.now()
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      // A connection that is kept would hold up the end of the server for as long as connections are kept.
      if (!this.listening) this.closeIdleConnections()
      const status = response.writableFinished ? response.statusCode : undefined
      onResponse?.({ request, requestId, status, milliseconds: this.options.now() - arrived })
    }
    // It closes once: `once` would put a function around this one, and take it from the list.
    response.on("close", over)
    return over
  }

  private refuseBytes(error: NodeJS.ErrnoException, duplex: Duplex): void {
    if (error.code === "ECONNRESET") {
      duplex.destroy()
      return
    }
    // Node's types say Duplex; of an HTTP server it is a socket.
    const socket = duplex as Socket
    const [status, failure] = arrivalFaults[error.code ?? ""] ?? malformed
    const arrival = this.bodies.abandon(socket)
    if (arrival !== undefined) {
      this.refuse(arrival.request, arrival.response, status, failure)
      return
    }
    // Responses to what came before go first.
    this.queue.finish(socket, () => {
      const requestId = this.requestIdOf(undefined)
      respondRaw(socket, status, this.bodyOf(failure), { "x-request-id": requestId })
      this.options.onResponse?.({ request: undefined, requestId, status, milliseconds: 0 })
    })
  }
}

/**
 * A server that reads a whole request within 30 s and its header within 10 s (it looks every second), and that hands
 * requests on with their whole bodies, in turns: see `BufferedBodies` and `RequestQueue`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNodeServer = (options: NodeServerOptions): Server => new BoundedServer(options)
