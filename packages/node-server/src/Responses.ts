/**
 * Responses of the server: those of the listener, which are written several at a time, and the server's own refusals.
 *
 * @since 0.1.0
 */
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES
} from "node:http"
import type { Duplex } from "node:stream"

type Fields = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

/** Up to this size, copying a body behind its header is cheaper for Node than two writes. */
const maxInOnePiece = 4_096

/** End functions of responses that wait for the end of the current callback. */
let waiting: Array<() => void> = []

const writeAll = (): void => {
  const ends = waiting
  waiting = []
  for (const end of ends) end()
}

/**
 * The response class of the server: give it to Node as the option `ServerResponse`. Responses that end in the same
 * callback of the event loop are sent together after the callback.
 *
 * **Details**
 *
 * A response that is sent alone wakes its client, which sleeps again before the next one. These wake-ups take a third of
 * the time of a small request.
 *
 * @category models
 * @since 0.1.0
 */
export class JoinedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Sent as `x-request-id`. A header that is set before the head is written costs a copy of all headers. */
  requestId: string | undefined
  /** Called when the response has ended and its bytes are with the operating system, as far as they fit. */
  onEnd: (() => void) | undefined
  /** Called with an error that prevents writing the response. The connection is then destroyed. */
  onFault: ((fault: unknown) => void) | undefined
  private isEnding = false

  static {
    // Node documents `writableEnded` as true after the call of `end`, also before anything is written. Here the call of
    // Node's `end` is delayed, so Node's own value would be false for a moment, and Effect would write a second response.
    // Node's types declare a property, which a class cannot override by a getter. The test "counts as ended for its
    // handler at once, and ends only once" fails without this definition.
    Object.defineProperty(this.prototype, "writableEnded", {
      get(this: JoinedResponse): boolean {
        return this.isEnding
      }
    })
  }

  override writeHead(status: number, reason?: string | Fields, fields?: Fields): this {
    const [text, given] = typeof reason === "string" ? [reason, fields] : [undefined, fields ?? reason]
    if (this.requestId === undefined) return super.writeHead(status, text, given)
    const own = { "x-request-id": this.requestId }
    // No caller writes a head as a list.
    return super.writeHead(status, text, given === undefined ? own : { ...(given as OutgoingHttpHeaders), ...own })
  }

  override end(callback?: () => void): this
  override end(chunk: unknown, callback?: () => void): this
  override end(chunk: unknown, encoding: BufferEncoding, callback?: () => void): this
  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    if (this.isEnding) return this
    this.isEnding = true
    // `socket.cork` is no alternative: Node uncorks the connection in `end`.
    if (waiting.length === 0) process.nextTick(writeAll)
    waiting.push(() => {
      // The client disconnected.
      if (this.destroyed) return
      try {
        // Node accepts the callback in place of a missing encoding.
        if (!isSmall(chunk) || encoding !== undefined) super.end(chunk, encoding as BufferEncoding, callback)
        else super.end(latin1(chunk), "latin1", callback)
        this.onEnd?.()
      } catch (fault) {
        this.destroy()
        this.onFault?.(fault)
      }
    })
    return this
  }
}

const isSmall = (chunk: unknown): chunk is Uint8Array => chunk instanceof Uint8Array && chunk.length <= maxInOnePiece

/** Returns the bytes as Latin-1 text of equal length. Node writes text together with the header. */
const latin1 = ({ buffer, byteLength, byteOffset }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("latin1")

/**
 * Sends JSON as the last response of a connection for which Node has no response object, and closes the connection.
 *
 * @category responses
 * @since 0.1.0
 */
export const respondRaw = (
  socket: Duplex,
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(json)}`,
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  ]
  socket.end(`${lines.join("\r\n")}\r\n\r\n${json}`)
}

/**
 * The status and message of a request that the server refuses itself.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refusal {
  readonly status: number
  readonly message: string
}

/**
 * The server's own refusals. "May have been done" in a message means that the listener received the request.
 *
 * @category responses
 * @since 0.1.0
 */
export const refusals = {
  noHost: { status: 400, message: "The request has no Host" },
  twoHosts: { status: 400, message: "The request has more than one Host header field" },
  twoAuthorizations: { status: 400, message: "The request has more than one Authorization header field" },
  malformed: { status: 400, message: "This is not an HTTP request" },
  noTunnel: { status: 405, message: "This server is not a proxy: it does not support CONNECT" },
  tooSlow: { status: 408, message: "The request took too long to arrive" },
  addressTooLong: { status: 414, message: "The URL is too long" },
  expectation: { status: 417, message: "The only supported expectation is 100-continue" },
  headerTooLarge: { status: 431, message: "The header fields are too large" },
  broken: { status: 500, message: "The request failed: the operation may have been completed" },
  stopped: {
    status: 500,
    message: "The service stopped before it could respond: the operation may have been completed"
  },
  unknownCoding: { status: 501, message: "The only supported transfer coding is chunked" },
  starting: { status: 503, message: "The service is starting: try again in a second" },
  stopping: { status: 503, message: "The service is stopping: nothing was changed, try again" },
  busy: { status: 503, message: "The service has too many requests: nothing was changed, try again" }
} as const satisfies { readonly [name: string]: Refusal }

/**
 * Returns the refusal for bytes that Node's parser refused.
 *
 * @category getters
 * @since 0.1.0
 */
export const refusalOfBytes = ({
  code,
  rawPacket
}: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): Refusal => {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refusals.tooSlow
  if (code !== "HPE_HEADER_OVERFLOW") return refusals.malformed
  // Node refuses a header of more than 16 KiB. Without a line feed in its first packet, the URL alone is too long.
  const start = rawPacket?.toString("latin1", 0, 16_384) ?? ""
  return /^[A-Z]+ /.test(start) && !start.includes("\n") ? refusals.addressTooLong : refusals.headerTooLarge
}
