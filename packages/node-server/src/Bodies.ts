/**
 * Bodies of requests, read whole before a request is handled, and bounded together: a request costs its handler nothing until its
 * body is there, and slow bodies keep no others out.
 *
 * **Details**
 *
 * Node emits a request when its header is complete. Until the body is complete nothing is pushed into the stream of the request, so
 * that Node goes on reading: `BodyLimits` bounds it, and not the backpressure of the stream.
 *
 * @since 0.1.0
 */
import { IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * @category options
 * @since 0.1.0
 */
export interface BodyLimits {
  /** Bytes of one body. A request with a larger one is handed on at once, for its handler to refuse. */
  readonly each: number
  /** Bodies that may arrive at the same time. */
  readonly arriving: number
  /** Bytes of all bodies that arrive, or are complete and not released yet. */
  readonly bytes: number
}

/**
 * A request whose body arrives. One of the three functions is called, once.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival {
  readonly request: BufferedRequest
  readonly response: ServerResponse
  /** The body is complete, there is none, or it is larger than the limit. */
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
  /** The complete body. The stream of the request has it too. */
  whole: Uint8Array | undefined
  private buffer: Buffer | undefined
  private onPiece: ((piece: Buffer | null) => void) | undefined

  /** Node's parser pushes each piece of the body, and null when it was the last. */
  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.onPiece === undefined) return super.push(piece, encoding)
    if (piece !== null) this.add(piece)
    this.onPiece(piece)
    return true
  }

  /** Buffers the body, and reports each piece of it. */
  startBuffering(onPiece: (piece: Buffer | null) => void): void {
    this.onPiece = onPiece
  }

  /** Pushes the buffered part into the stream of the request, to which Node adds the remainder. */
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

  /** One buffer, grown by doubling: a piece may be a single byte, and an object for each takes some hundred. */
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
 * The bodies that arrive at a server.
 *
 * **Details**
 *
 * Beyond a limit the body that has been arriving for longest is refused. A body of an ordinary client is complete within a round
 * trip or two; if the newest were refused, a few hundred slow connections would keep all others out.
 *
 * @category bodies
 * @since 0.1.0
 */
export class BufferedBodies {
  private readonly limits: BodyLimits
  /** The oldest first; a connection has at most one. */
  private readonly arrivals: Array<Arrival> = []
  private bytes = 0

  constructor(limits: BodyLimits) {
    this.limits = limits
  }

  /** Takes a request whose header is complete; true when its body is still to come. */
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

  /** The oldest first. */
  arriving(): ReadonlyArray<Arrival> {
    return this.arrivals
  }

  /** Ends the count of a body that was handed on. */
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
    // Complete bodies are not refused: only slow ones are.
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

  /** False when it was removed before. */
  private take(arrival: Arrival): boolean {
    const index = this.arrivals.lastIndexOf(arrival)
    if (index !== -1) this.arrivals.splice(index, 1)
    return index !== -1
  }
}
