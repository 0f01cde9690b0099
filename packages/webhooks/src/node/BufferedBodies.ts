/**
 * Bodies of requests that are read whole before anybody responds, bounded together: a request costs a handler nothing
 * until its body is there, and bodies that arrive slowly keep no other out.
 *
 * **Details**
 *
 * Node hands a request on when its header is there, and a handler that then waits for the body waits for as long as the
 * client likes, with all that it holds meanwhile. Here the body comes first. Until it is there nothing is pushed into the
 * stream of the request, so Node goes on reading: limits bound it, and not the backpressure of the stream.
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
  /** Bytes of one body. A larger one is handed on at once, to be refused by what responds. */
  readonly each: number
  /** How many bodies may be arriving. */
  readonly arriving: number
  /** Bytes of all bodies that are arriving, or are whole and not released yet. */
  readonly bytes: number
}

/**
 * A request whose body arrives, and what becomes of it. One of the three is called, once.
 *
 * @category models
 * @since 0.1.0
 */
export interface Arrival {
  readonly request: BufferedRequest
  readonly response: ServerResponse
  /** The body is whole, there is none, or it is larger than what is read. */
  readonly arrived: () => void
  /** Too much is arriving: respond with a 503 and close the connection. What still comes of the body is discarded. */
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
  /** The body, once it is known to be whole. It comes by the stream of the request too. */
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

  /** Keeps what comes of the body, and reports each piece. */
  startBuffering(onPiece: (piece: Buffer | null) => void): void {
    this.onPiece = onPiece
  }

  /** Hands what is there to the stream of the request, where the rest of the body follows by itself. */
  stopBuffering(): void {
    const body = this.buffer?.subarray(0, this.held)
    this.onPiece = undefined
    this.buffer = undefined
    if (body !== undefined) super.push(body)
    if (!this.complete) return
    this.whole = body ?? nothing
    super.push(null)
  }

  /** Forgets what is there, and what is still to come. */
  discard(): void {
    this.onPiece = undefined
    this.buffer = undefined
    this.resume()
  }

  /** One buffer, grown by doubling: a piece may be a single byte, and as an object of its own it takes some hundred. */
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
 * Beyond a limit the body that has been arriving for longest is refused. One that comes at its sender's speed is there
 * within a round trip or two; refusing the newest instead would let a few hundred connections that send a byte
 * now and then keep everybody else out.
 *
 * @category bodies
 * @since 0.1.0
 */
export class BufferedBodies {
  private readonly limits: BodyLimits
  /**
   * A connection has one body arriving at most; the first is the one that has been for longest. A list, as most come whole with
   * their headers and are the last here: a Map whose keys come and go with each request keeps its old tables, and the
   * requests that were in them, from the collector of young garbage.
   */
  private readonly arrivals: Array<Arrival> = []
  private bytes = 0

  constructor(limits: BodyLimits) {
    this.limits = limits
  }

  /** Takes a request whose header is there; true when its body is still to come. */
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

  /** The body that arrives on a connection, which is given up: what becomes of it is not reported. */
  abandon(socket: Socket): Arrival | undefined {
    const arrival = this.arrivals.find(({ request }) => request.socket === socket)
    if (arrival !== undefined) this.discard(arrival)
    return arrival
  }

  /** What arrives, the oldest first. */
  arriving(): ReadonlyArray<Arrival> {
    return this.arrivals
  }

  /** The body was handed on: it no longer counts. */
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
    // Those that are whole are not refused: their clients have done their part.
    while (this.bytes > this.limits.bytes && this.arrivals.length > 0) this.refuseOldest()
  }

  private end(arrival: Arrival): void {
    this.take(arrival)
    arrival.request.stopBuffering()
    // What is too large is refused by its reader, which counts.
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

  /** Takes it from those that arrive; false when it was none of them any more. */
  private take(arrival: Arrival): boolean {
    const place = this.arrivals.lastIndexOf(arrival)
    if (place !== -1) this.arrivals.splice(place, 1)
    return place !== -1
  }
}
