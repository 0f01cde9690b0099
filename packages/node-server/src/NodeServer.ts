/**
 * Node's HTTP server with the limits of a public service: the arrival time of a request, and the numbers of arriving
 * and running requests. Its own refusals also have a JSON body and a request id.
 *
 * @since 0.1.0
 */
import type { IncomingMessage, OutgoingHttpHeaders, Server } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type BodyLimits, BufferedBodies, BufferedRequest, refusalOf } from "./Requests.ts"
import { defaultLimits, type QueueLimits, RequestQueue } from "./RequestQueue.ts"
import { JoinedResponse, type Refusal, refusalOfBytes, refusals, respondRaw } from "./Responses.ts"
import { LingeringServer } from "./Shutdown.ts"

/**
 * Maximum arrival times of a request, in milliseconds.
 *
 * @category options
 * @since 0.1.0
 */
export interface ArrivalLimits {
  readonly header: number
  /** Header and body together. */
  readonly request: number
}

/** 1,024 bodies of 1 MiB that arrive, 64 MiB in all. */
const defaultBodyLimits: BodyLimits = { each: 1_048_576, arriving: 1_024, bytes: 67_108_864 }

/**
 * A response that was sent, or whose client hung up.
 *
 * @category models
 * @since 0.1.0
 */
export interface Responded {
  /** Undefined if the bytes were not an HTTP request. */
  readonly request: IncomingMessage | undefined
  readonly requestId: string
  /** Undefined if the client disconnected before the response was sent. */
  readonly status: number | undefined
  /** Milliseconds from the arrival of the header to the end of the response. */
  readonly milliseconds: number
}

/**
 * @category options
 * @since 0.1.0
 */
export interface NodeServerOptions {
  /** Returns milliseconds from any fixed start. */
  readonly now: () => number
  readonly arrival?: ArrivalLimits
  readonly queue?: Partial<QueueLimits>
  readonly bodies?: Partial<BodyLimits>
  /** The JSON body of a refusal with this message; default `{"error":{"message":..}}`. */
  readonly errorBody?: (message: string) => string
  /** Requests that do not wait in the queue, such as health checks; default none. */
  readonly isUrgent?: (request: IncomingMessage) => boolean
  /** Called before the listener with a request whose body is complete; false leaves the request to the listener. */
  readonly handle?: (request: BufferedRequest, response: JoinedResponse) => boolean
  /** Prefix of request ids, different for each server. */
  readonly requestIdPrefix?: string
  /** Milliseconds that idle connections stay open after the server is closed, as in `LingeringServer`. */
  readonly lingering?: number | undefined
  /** Milliseconds that requests have to finish once the server is closed; default 10 s. All connections are closed soon after. */
  readonly finishing?: number
  /** Called when a request arrives. */
  readonly onRequest?: ((request: BufferedRequest) => void) | undefined
  /** Called for each request that the server itself refuses. */
  readonly onRefused?: ((refusal: Refusal) => void) | undefined
  /** Called with an error that prevents a response. The connection is then closed. */
  readonly onFault?: ((fault: unknown) => void) | undefined
  /** Called when the server is closed, with the number of requests without a response. */
  readonly onClose?: ((requests: number) => void) | undefined
  /** Called for every response. */
  readonly onResponse?: ((responded: Responded) => void) | undefined
}

/** Milliseconds that a connection may be idle, as announced in `Keep-Alive`; longer than the minute of most proxies. */
const maxIdle = 65_000

/** Additional milliseconds before an idle connection is closed. A request that meets the close would be lost. */
const idleGrace = 10_000

/** Milliseconds for sending the 500 of a request that exceeded its time. */
const timeForLast = 500

const inASecond = { "retry-after": "1" }

/** Returns true if a client's request id can be sent in a header and written to a log. */
const isRequestId = (text: string): boolean => /^[\w.~:+/=@-]{1,128}$/.test(text)

class BoundedServer extends LingeringServer {
  private readonly queue: RequestQueue
  private readonly bodies: BufferedBodies
  private readonly options: NodeServerOptions
  private requests = 0

  constructor(options: NodeServerOptions) {
    const { header, request } = options.arrival ?? { header: 10_000, request: 30_000 }
    super(
      {
        IncomingMessage: BufferedRequest,
        ServerResponse: JoinedResponse,
        // The time until the request has arrived. Its handling has no time limit; calls of providers have their own.
        requestTimeout: request,
        headersTimeout: header,
        maxHeaderSize: 16_384,
        // Node checks every 30 s by default.
        connectionsCheckingInterval: Math.min(1_000, header),
        keepAliveTimeout: maxIdle,
        keepAliveTimeoutBuffer: idleGrace,
        // Node's own response to a missing Host has no body.
        requireHostHeader: false,
        // Saves four ticks of the stream of a request without a body.
        optimizeEmptyRequests: true,
        // A request to upgrade is also an ordinary request, and is handled as such (RFC 9110, 7.8).
        shouldUpgradeCallback: () => false
      },
      { lingering: options.lingering, longest: (options.finishing ?? 10_000) + timeForLast }
    )
    this.options = options
    this.queue = new RequestQueue({ ...defaultLimits, ...options.queue }, options.now)
    this.bodies = new BufferedBodies({ ...defaultBodyLimits, ...options.bodies })
    this.on("clientError", (error, socket) => this.refuseBytes(error, socket))
    this.on("checkExpectation", (request, response) => {
      this.arrive(request, response)
      this.refuse(request, response, refusals.expectation)
    })
    this.on("connect", (request, socket) => {
      // Node no longer handles errors of this socket: without a listener a reset would be an uncaught exception.
      socket.on("error", () => socket.destroy())
      this.respondLast(request, request.socket, socket, refusals.noTunnel, { allow: "GET, POST, PUT, DELETE" })
    })
    // With a listener, Node leaves `100 Continue` to `emit`.
    this.on("checkContinue", () => {})
    this.on("removeListener", (event) => {
      if (event === "request" && !this.listening) this.abandon()
    })
  }

  /** Passes requests through bodies and queue before the listener. */
  override emit(event: string | symbol, ...values: Array<unknown>): boolean {
    // Node's types define the values of each event by its name, which is a variable here.
    const [request, response] = values as [BufferedRequest, JoinedResponse]
    if (event !== "request" && event !== "checkContinue") {
      // Node's types define the values of each event by its name, which is a variable here.
      return super.emit(event as "request", ...(values as [BufferedRequest, JoinedResponse]))
    }
    if (this.queue.isFinished(request.socket)) return true
    const dropped = this.arrive(request, response)
    const refusal = refusalOf(request)
    if (refusal !== undefined) this.refuse(request, response, refusal)
    // The port is bound before the service is ready, and Node does not respond to a request without a listener.
    else if (this.isUnready) this.refuse(request, response, this.unready)
    else if (this.options.isUrgent?.(request) === true && !this.queue.isBusy(request.socket)) {
      super.emit("request", request, response)
    } else {
      const isToCome = this.bodies.receive({
        request,
        response,
        arrived: () => this.enqueue(request, response, dropped),
        refused: () => this.refuse(request, response, refusals.busy),
        dropped
      })
      // The client sends its body after this message, before the request is in the queue.
      if (isToCome && event === "checkContinue") response.writeContinue()
    }
    return true
  }

  override close(callback?: (error?: Error) => void): this {
    const responses = this.queue.lastResponses()
    for (const { request, response } of this.bodies.arriving()) {
      // The response class is an option of this server.
      responses.set(request.socket, response as JoinedResponse)
    }
    for (const response of responses.values()) this.announceClose(response)
    if (this.listening) this.options.onClose?.(this.queue.size + this.bodies.arriving().length)
    return super.close(callback)
  }

  private get isUnready(): boolean {
    return this.listenerCount("request") === 0
  }

  /** Returns why there is no listener for requests. */
  private get unready(): Refusal {
    return this.listening ? refusals.starting : refusals.stopping
  }

  /** Announces that the connection is closed after this response. */
  private announceClose(response: JoinedResponse): void {
    if (!response.headersSent) response.setHeader("connection", "close")
  }

  /**
   * Responds to requests without a response after the listener was removed. Effect would send a 503, which wrongly
   * means that nothing was changed.
   */
  private abandon(): void {
    for (const response of this.queue.responsesUnderWay())
      this.respond(response, refusals.stopped, { connection: "close" })
  }

  private enqueue(request: BufferedRequest, response: JoinedResponse, dropped: () => void): void {
    const handOn = () => this.handOn(request, response)
    const failed = (fault: unknown) => {
      this.options.onFault?.(fault)
      if (response.headersSent) request.socket.destroy()
      else this.respond(response, refusals.broken, { connection: "close" })
    }
    if (!this.queue.take({ request, response, bytes: request.held, dropped, handOn, failed })) {
      this.refuse(request, response, refusals.busy)
    }
  }

  private handOn(request: BufferedRequest, response: JoinedResponse): void {
    this.bodies.release(request)
    if (this.options.handle?.(request, response) === true) return
    // The service may have stopped while the request waited.
    if (this.isUnready) this.respond(response, this.unready, inASecond)
    else super.emit("request", request, response)
  }

  /** Refuses a request and reads nothing more of its connection: the next bytes may be misinterpreted. */
  private refuse(request: BufferedRequest, response: JoinedResponse, refusal: Refusal): void {
    this.bodies.release(request)
    // The response may wait for earlier ones of its connection; the body does not need to wait.
    request.resume()
    this.queue.finish(request.socket)
    this.options.onRefused?.(refusal)
    this.respond(response, refusal, { connection: "close", ...(refusal.status === 503 ? inASecond : {}) })
  }

  private respond(response: JoinedResponse, { message, status }: Refusal, headers: OutgoingHttpHeaders): void {
    const body = this.bodyOf(message)
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers
    })
    response.end(body)
  }

  private bodyOf(message: string): string {
    return this.options.errorBody?.(message) ?? JSON.stringify({ error: { message } })
  }

  private requestIdOf(request: IncomingMessage | undefined): string {
    const given = request?.headers["x-request-id"]
    if (typeof given === "string" && isRequestId(given)) return given
    return `${this.options.requestIdPrefix ?? ""}${(++this.requests).toString(36)}`
  }

  /**
   * Assigns an id to the request. The returned function must be called when the response is over and Node emits no
   * event for it.
   */
  private arrive(request: BufferedRequest, response: JoinedResponse): () => void {
    const requestId = this.requestIdOf(request)
    request.headers["x-request-id"] = requestId
    response.requestId = requestId
    response.onFault = this.options.onFault
    if (!this.listening) this.announceClose(response)
    const { onRequest, onResponse } = this.options
    onRequest?.(request)
    const arrived = onResponse === undefined ? 0 : this.options.now()
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      // An open connection would delay the end of the server.
      if (!this.listening) this.closeIdleConnections()
      const status = response.writableFinished ? response.statusCode : undefined
      onResponse?.({ request, requestId, status, milliseconds: this.options.now() - arrived })
    }
    // Emitted only once, so `on` is enough; `once` would wrap the listener.
    response.on("close", over)
    return over
  }

  private refuseBytes(error: NodeJS.ErrnoException, duplex: Duplex): void {
    if (error.code === "ECONNRESET") {
      duplex.destroy()
      return
    }
    // Node's type is Duplex, but an HTTP server's stream is a socket.
    const socket = duplex as Socket
    const refusal = refusalOfBytes(error)
    const arrival = this.bodies.abandon(socket)
    // The response class is an option of this server.
    if (arrival !== undefined) this.refuse(arrival.request, arrival.response as JoinedResponse, refusal)
    // Node reports each packet of invalid bytes; only the first one gets a response.
    else if (!this.queue.isFinished(socket)) this.respondLast(undefined, socket, socket, refusal)
  }

  /** Responds where Node has no response object, after the responses to earlier requests of the connection. */
  private respondLast(
    request: IncomingMessage | undefined,
    connection: Socket,
    socket: Duplex,
    refusal: Refusal,
    headers: Readonly<Record<string, string>> = {}
  ): void {
    const requestId = this.requestIdOf(request)
    this.options.onRefused?.(refusal)
    this.queue.finish(connection, () => {
      const { status } = refusal
      respondRaw(socket, status, this.bodyOf(refusal.message), { ...headers, "x-request-id": requestId })
      this.options.onResponse?.({ request, requestId, status, milliseconds: 0 })
    })
  }
}

/**
 * Returns a server that limits headers to 10 s and whole requests to 30 s, checked every second. It hands on requests
 * with their whole bodies; see `BufferedBodies` and `RequestQueue`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNodeServer = (options: NodeServerOptions): Server => new BoundedServer(options)
