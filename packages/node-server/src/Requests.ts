/**
 * Requests before they are handled: the check of their headers, and their bodies, which the server buffers within common
 * limits. A request has no cost for its handler until its body is complete, and slow bodies do not block other requests.
 *
 * **Details**
 *
 * Node emits a request when its header is complete. Until the body is complete, nothing is pushed into the stream of
 * the request, so Node continues to read. `BodyLimits` limits the buffers instead of the stream's backpressure.
 *
 * @since 0.1.0
 */
import { IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Refusal, refusals } from "./Responses.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface BodyLimits {
  /**
   * Maximum bytes of one body. A request with a larger body is handed on at once, and its handler refuses the request.
   */
  readonly each: number
  /** Maximum number of bodies that arrive at the same time. */
  readonly arriving: number
  /** Maximum bytes of all bodies that arrive, or are complete and not yet released. */
  readonly bytes: number
}

/**
 * A request whose body arrives. Exactly one of the three functions is called, once.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival {
  readonly request: BufferedRequest
  readonly response: ServerResponse
  /** The body is complete, absent, or larger than the limit. */
  readonly arrived: () => void
  /** Too many bodies arrive: respond with a 503 and close the connection. The remainder of the body is discarded. */
  readonly refused: () => void
  /** The client hung up. */
  readonly dropped: () => void
}

const nothing = new Uint8Array(0)

/**
 * The requests of a server with `BufferedBodies`: give it to Node as the option `IncomingMessage`.
 *
 * @category models
 * @since 0.1.0
 */
export class BufferedRequest extends IncomingMessage {
  /** Bytes of the body that count against `BodyLimits.bytes`. */
  held = 0
  /** The complete body. The stream of the request contains it too. */
  whole: Uint8Array | undefined
  private buffer: Buffer | undefined
  private onPiece: ((piece: Buffer | null) => void) | undefined

  /**
   * Called by Node's parser with each piece of the body, and with null after the last piece. Node documents `push` for
   * streams, but not that its parser calls it. The documented event `data` is no alternative: its pieces are gone from the
   * stream, and the handler reads the stream when a body is larger than the limit. Five tests of `Requests.test.ts` and
   * `NodeServer.test.ts` fail if the parser does not call `push`.
   */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.onPiece === undefined) return super.push(piece, encoding)
    if (piece !== null) this.add(piece)
    this.onPiece(piece)
    return true
  }

  /** Buffers the body and reports each piece. */
  startBuffering(onPiece: (piece: Buffer | null) => void): void {
    this.onPiece = onPiece
  }

  /** Pushes the buffered part into the stream of the request. Node adds the remainder. */
  stopBuffering(): void {
    const body = this.buffer?.subarray(0, this.held)
    this.onPiece = undefined
    this.buffer = undefined
    if (body !== undefined) super.push(body)
    if (!this.complete) return
    this.whole = body ?? nothing
    super.push(null)
  }

  /** Discards the buffered part and the remainder. */
  discard(): void {
    this.onPiece = undefined
    this.buffer = undefined
    this.resume()
  }

  /**
   * Adds a piece to one buffer that grows by doubling. A piece may be a single byte, and an object for
   * each piece would take some hundred bytes.
   */
  private add(piece: Buffer): void {
    const needed = this.held + piece.length
    if (this.buffer === undefined) this.buffer = piece
    else {
      if (needed > this.buffer.length) {
        const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.buffer.length))
        this.buffer.copy(grown, 0, 0, this.held)
        this.buffer = grown
      }
      piece.copy(this.buffer, this.held)
    }
    this.held = needed
  }
}

/**
 * The bodies that are arriving at a server.
 *
 * **Details**
 *
 * Above a limit the oldest arriving body is refused. The body of an ordinary client is complete within one or two round
 * trips. If the newest body were refused, a few hundred slow connections would block all other clients.
 *
 * @category bodies
 * @since 0.1.0
 */
export class BufferedBodies {
  private readonly limits: BodyLimits
  /** Oldest first; a connection has at most one. */
  private readonly arrivals: Array<Arrival> = []
  private bytes = 0

  constructor(limits: BodyLimits) {
    this.limits = limits
  }

  /** Accepts a request whose header is complete. Returns true if its body is still to arrive. */
  receive(arrival: Arrival): boolean {
    const { request } = arrival
    if (!this.isToCome(request)) {
      if (!this.isLong(request)) request.whole = nothing
      arrival.arrived()
      return false
    }
    this.arrivals.push(arrival)
    request.startBuffering((piece) => (piece === null ? this.end(arrival) : this.add(arrival, piece.length)))
    request.once("close", () => {
      this.release(request)
      if (this.take(arrival)) arrival.dropped()
    })
    if (this.arrivals.length > this.limits.arriving) this.refuseOldest()
    return true
  }

  /** Removes the body that arrives on a connection, without calling its functions. */
  abandon(socket: Socket): Arrival | undefined {
    const arrival = this.arrivals.find(({ request }) => request.socket === socket)
    if (arrival !== undefined) this.discard(arrival)
    return arrival
  }

  /** Returns the arriving bodies, oldest first. */
  arriving(): ReadonlyArray<Arrival> {
    return this.arrivals
  }

  /** Stops counting a body that was handed on. */
  release(request: BufferedRequest): void {
    this.bytes -= request.held
    request.held = 0
  }

  private isToCome(request: BufferedRequest): boolean {
    const length = request.headers["content-length"]
    if (length === undefined) return request.headers["transfer-encoding"] !== undefined
    return Number(length) > 0 && !this.isLong(request)
  }

  private isLong({ headers }: BufferedRequest): boolean {
    return Number(headers["content-length"] ?? 0) > this.limits.each
  }

  private add(arrival: Arrival, length: number): void {
    this.bytes += length
    if (arrival.request.held > this.limits.each) this.end(arrival)
    // Complete bodies are not refused; only slow ones are.
    while (this.bytes > this.limits.bytes && this.arrivals.length > 0) this.refuseOldest()
  }

  private end(arrival: Arrival): void {
    this.take(arrival)
    arrival.request.stopBuffering()
    // The handler refuses a body that is too large.
    if (arrival.request.held > this.limits.each) arrival.request.whole = undefined
    arrival.arrived()
  }

  private refuseOldest(): void {
    const [oldest] = this.arrivals
    if (oldest === undefined) return
    this.discard(oldest)
    oldest.refused()
  }

  private discard(arrival: Arrival): void {
    this.take(arrival)
    this.release(arrival.request)
    arrival.request.discard()
  }

  /** Returns false if the arrival was already removed. */
  private take(arrival: Arrival): boolean {
    const index = this.arrivals.lastIndexOf(arrival)
    if (index !== -1) this.arrivals.splice(index, 1)
    return index !== -1
  }
}

/**
 * Returns the refusal of a request whose headers two parties could interpret differently, although Node accepts them: no Host or more than one (RFC 9112, section 3.2), an unknown
 * transfer coding (section 6.1), or two Authorization headers, of which Node uses the first.
 *
 * @category getters
 * @since 0.1.0
 */
export const refusalOf = ({ httpVersion, rawHeaders }: IncomingMessage): Refusal | undefined => {
  let hosts = 0
  let authorizations = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    // Node lists each name with its value.
    const name = rawHeaders[index]!
    // Lengths are compared first because this runs for each field of each request.
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
    else if (name.length === 13 && name.toLowerCase() === "authorization") authorizations++
    else if (
      name.length === 17 &&
      name.toLowerCase() === "transfer-encoding" &&
      // Node lists each name with its value.
      rawHeaders[index + 1]!.trim().toLowerCase() !== "chunked"
    ) {
      return refusals.unknownCoding
    }
  }
  if (hosts > 1) return refusals.twoHosts
  if (hosts === 0 && httpVersion === "1.1") return refusals.noHost
  return authorizations > 1 ? refusals.twoAuthorizations : undefined
}
