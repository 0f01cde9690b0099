/**
 * Node's HTTP server with the limits of a public service; a connection that breaks them gets an error node too.
 *
 * @since 0.1.0
 */
import { type ApiError, answerOf, BadRequest, PayloadTooLarge, Unavailable } from "@parcela/transport/ApiError"
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse
} from "node:http"
import type { Duplex } from "node:stream"

const reasons: { readonly [code: string]: readonly [status: string, error: ApiError] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", new BadRequest({ message: "The request took too long to arrive" })],
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    new PayloadTooLarge({ message: "The header fields are too large" })
  ]
}

const malformed = ["400 Bad Request", new BadRequest({ message: "This is not an HTTP request" })] as const

const expectation = new BadRequest({ message: "Of all expectations only 100-continue is understood" })

const starting = new Unavailable({ message: "The service is starting: try again in a second" })

const answer = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, failure] = reasons[error.code ?? ""] ?? malformed
  const body = JSON.stringify(answerOf(failure).body)
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
      `connection: close\r\n\r\n${body}`
  )
}

/** How many of the listeners for requests are this file's. */
const ownListeners = 2

// The port is taken before the service is ready, and Node leaves a request that nobody listens for without an answer.
const answerBeforeReady = (server: Server) => (_request: IncomingMessage, response: ServerResponse) => {
  if (server.listenerCount("request") > ownListeners) return
  close(response, 503, starting, { "retry-after": "1" })
}

/** Answers with an error node, and takes no further request on the connection. */
const close = (response: ServerResponse, status: number, error: ApiError, headers: OutgoingHttpHeaders = {}): void => {
  const body = JSON.stringify(answerOf(error).body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
    ...headers
  })
  response.end(body)
}

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

// A kept connection would hold the end of a server up for as long as connections are kept.
const closeWhenStopping = (server: Server) => (_request: IncomingMessage, response: ServerResponse) => {
  response.once("finish", () => {
    if (!server.listening) server.closeIdleConnections()
  })
}

/**
 * A server that reads a whole request within 30 s, its header within 10 s; it looks every second.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNodeServer = (limits: ArrivalLimits = { header: 10_000, request: 30_000 }): Server => {
  const server = createServer({
    requestTimeout: limits.request,
    headersTimeout: limits.header,
    // Node looks for what is too slow every 30 s, which would make 40 s out of 10 s.
    connectionsCheckingInterval: Math.min(1_000, limits.header),
    keepAliveTimeout: 5_000,
    // Node's own answer to a missing Host has no body; the edge gives one.
    requireHostHeader: false
  })
  server.on("clientError", answer)
  server.on("request", closeWhenStopping(server))
  server.on("request", answerBeforeReady(server))
  server.on("checkExpectation", (_request, response) => close(response, 417, expectation))
  return server
}
