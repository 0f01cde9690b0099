/**
 * The queue in front of an HTTP server: requests under way are bounded, those that wait are taken first in, first
 * out, and in turns that leave the event loop free for new connections.
 *
 * **Details**
 *
 * libuv accepts one connection in each iteration of the event loop, and Node serves every connection that has a
 * request within that iteration: with n busy connections the last of n new ones waits for about n² / 2 requests. So a
 * request is not handed on when it arrives but in a turn (`setImmediate`), which stops after a few milliseconds, and sooner
 * while clients connect. Otherwise each turn may take twice as many as the one before, since they share what they cost
 * together: commits and the waking of clients.
 *
 * @since 0.1.0
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * @category options
 * @since 0.1.0
 */
export interface QueueLimits {
  /** Requests that have been handed on and whose response is not ended; it may still wait for its reader. */
  readonly underWay: number
  /** Connections whose next request waits for its turn. */
  readonly waiting: number
  /** Requests of one connection that wait behind one another (pipelining). */
  readonly pipelined: number
  /** Bytes of their bodies: a connection that waits for a slow response holds no more of what all bodies share. */
  readonly pipelinedBytes: number
  /** How long a turn may take, in milliseconds. */
  readonly turn: number
  /** How long a response that is ended may make no progress before its connection is destroyed, in milliseconds. */
  readonly stall: number
}

/**
 * @category options
 * @since 0.1.0
 */
export const defaultLimits: QueueLimits = {
  underWay: 256,
  waiting: 1_024,
  pipelined: 100,
  pipelinedBytes: 65_536,
  turn: 4,
  stall: 20_000
}

/**
 * A request that has come whole, or as far as it is read, with its response and what hands it on to the listener.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of its body. */
  readonly bytes: number
  readonly handOn: () => void
  /** Called with what that throws: the rest of the turn goes on. */
  readonly failed: (fault: unknown) => void
  /** Called instead when the connection was closed while the request waited. */
  readonly dropped: () => void
}

/** The requests of a connection: its next, or the one under way, if there is one, and those behind. */
interface Line {
  current: Exchange | undefined
  readonly behind: Array<Exchange>
  /** Runs when nothing of the connection waits or is under way. */
  last: (() => void) | undefined
}

const isGone = ({ request, response }: Exchange): boolean => request.socket.destroyed || response.destroyed

/**
 * @category queues
 * @since 0.1.0
 */
export class RequestQueue {
  private readonly limits: QueueLimits
  private readonly now: () => number
  /**
   * The line of each connection that sent a request, for as long as it is open. A Map that keys come into and go out of with each
   * request leaves tables behind, each with a reference to the next, and once one is old none of them, nor what was in
   * them, is garbage to V8 until it looks through the whole heap: 2.5 KB of each request were copied twice.
   */
  private readonly lines = new Map<Socket, Line>()
  private readonly finished = new WeakSet<Socket>()
  private ready: Array<Exchange> = []
  private underWay = 0
  private isScheduled = false
  private lastTurn = 0
  /** Whether a connection was accepted since the last turn. */
  private isConnecting = false
  /** How many requests a turn hands on: fewer while clients connect and iterations of the event loop are not short. */
  private quota = 1
  /**
   * How many requests the last turn left. They have a turn of their own: as responses are written together, the first of a turn
   * waits as long as the last, and these would wait for the whole turn of those that came later, too.
   */
  private left = 0

  /** `now` in milliseconds, from any beginning. */
  constructor(limits: QueueLimits, now: () => number) {
    this.limits = limits
    this.now = now
  }

  /** Takes a request; false when too many wait already, and then nothing is done with it. */
  take(exchange: Exchange): boolean {
    const line = this.lines.get(exchange.request.socket)
    const isIdle = line?.current === undefined
    if (isIdle ? this.ready.length >= this.limits.waiting : this.isFull(line, exchange)) return false
    if (isIdle) {
      if (line === undefined) this.begin(exchange)
      else line.current = exchange
      this.wait(exchange)
    } else {
      // HTTP/1.1 sends responses in the order of the requests: a connection has one under way.
      line.behind.push(exchange)
    }
    this.schedule()
    return true
  }

  /** Called when a connection was accepted: there may be more behind it. */
  connected(): void {
    this.isConnecting = true
  }

  /** Whether something of the connection waits or is under way. */
  isBusy(socket: Socket): boolean {
    return this.lines.get(socket)?.current !== undefined
  }

  /** Whether nothing more of the connection is to be taken. */
  isFinished(socket: Socket): boolean {
    return this.finished.has(socket)
  }

  /** Ends a connection: `last` runs when the whole requests that it has sent are done, at once if they are. */
  finish(socket: Socket, last?: () => void): void {
    this.finished.add(socket)
    const line = this.lines.get(socket)
    // Only the request that came last can be incomplete (it is larger than what is read), and it will stay so.
    if (line?.behind.at(-1)?.request.complete === false) line.behind.pop()?.dropped()
    if (line?.current?.request.complete === true) line.last ??= last
    else last?.()
  }

  /** How many requests wait or are under way. */
  get size(): number {
    return Array.from(this.lines.values()).reduce(
      (sum, { behind, current }) => sum + behind.length + (current === undefined ? 0 : 1),
      0
    )
  }

  /** The responses that are the last of their connections as far as is known. */
  lastResponses(): Map<Socket, ServerResponse> {
    return new Map(
      Array.from(this.lines).flatMap(([socket, { behind, current }]) => {
        const last = behind.at(-1) ?? current
        return last === undefined ? [] : [[socket, last.response]]
      })
    )
  }

  /** The responses to requests that were handed on and have none yet. */
  responsesUnderWay(): ReadonlyArray<ServerResponse> {
    const waiting = new Set(this.ready)
    return Array.from(this.lines.values())
      .flatMap(({ current }) => (current === undefined || waiting.has(current) ? [] : [current.response]))
      .filter(({ headersSent, writableEnded }) => !headersSent && !writableEnded)
  }

  private begin(first: Exchange): void {
    const { socket } = first.request
    const line: Line = { current: first, behind: [], last: undefined }
    this.lines.set(socket, line)
    socket.once("close", () => {
      // What still waits finds the connection gone.
      if (line.current === undefined) this.lines.delete(socket)
    })
  }

  private isFull({ behind }: Line, { bytes }: Exchange): boolean {
    if (behind.length >= this.limits.pipelined) return true
    return bytes > 0 && behind.reduce((sum, each) => sum + each.bytes, bytes) > this.limits.pipelinedBytes
  }

  private wait(exchange: Exchange): void {
    // Its handler may take its time: a timer is left where the connection's last response had one.
    exchange.request.socket.setTimeout(0)
    this.ready.push(exchange)
  }

  private schedule(): void {
    if (this.isScheduled || this.ready.length === 0 || this.underWay >= this.limits.underWay) return
    this.isScheduled = true
    if (this.left > 0) setImmediate(() => this.turn())
    else this.gatherFrom(this.now())
  }

  /**
   * Begins a turn once an iteration of the event loop brought no further request, or after as long as a turn may take. A request
   * that came while others were read would otherwise wait for all of their turn and for its own: one of six took twice as long.
   * A request that is alone waits for one iteration.
   */
  private gatherFrom(start: number): void {
    const waiting = this.ready.length
    setImmediate(() => {
      if (this.ready.length > waiting && this.now() - start <= this.limits.turn) this.gatherFrom(start)
      else this.turn()
    })
  }

  private turn(): void {
    const start = this.now()
    // What was handed on earlier goes on between two turns: their distance shows whether more can be.
    const isLate = start - this.lastTurn > this.limits.turn
    if (!this.isConnecting) this.quota = Math.min(this.quota * 2, this.limits.underWay)
    else this.quota = isLate ? Math.max(1, this.quota >> 1) : this.quota + 1
    this.isConnecting = false
    const whole = this.left > 0 ? this.left : this.ready.length
    const most = Math.min(this.quota, whole)
    let taken = 0
    while (taken < most && this.underWay < this.limits.underWay) {
      // There are at least that many.
      this.start(this.ready[taken]!)
      taken++
      if (this.now() - start > this.limits.turn) break
    }
    this.left = whole - taken
    this.ready = taken === this.ready.length ? [] : this.ready.slice(taken)
    this.lastTurn = start
    this.isScheduled = false
    this.schedule()
  }

  private start(exchange: Exchange): void {
    const { request, response } = exchange
    if (isGone(exchange)) {
      this.drop(request.socket)
      return
    }
    this.underWay++
    let isUnderWay = true
    const free = () => {
      if (isUnderWay) this.underWay--
      isUnderWay = false
      this.schedule()
    }
    // A client that does not read keeps its response from being finished: it must not keep the place of another.
    // Each comes once: `once` would put a function around these, and take them from their lists.
    response.on("prefinish", () => {
      free()
      // Most of what is written is the kernel's by now. Node's timer of a socket starts again whenever some of the rest is.
      if (request.socket.writableLength > 0) response.setTimeout(this.limits.stall)
    })
    response.on("close", () => {
      free()
      this.next(request.socket)
    })
    try {
      exchange.handOn()
    } catch (fault) {
      exchange.failed(fault)
    }
  }

  /** The connection's next request joins the end of the queue, behind the other connections. */
  private next(socket: Socket): void {
    const line = this.lines.get(socket)
    const following = line?.behind[0]
    if (socket.destroyed) this.drop(socket)
    else if (line !== undefined && following !== undefined) {
      line.current = following
      line.behind.shift()
      this.wait(following)
    } else if (line !== undefined) {
      const { last } = line
      line.current = undefined
      line.last = undefined
      last?.()
    }
    this.schedule()
  }

  /** Node closes a response that has its turn on the connection; of those behind it nobody else would know. */
  private drop(socket: Socket): void {
    const line = this.lines.get(socket)
    this.lines.delete(socket)
    for (const exchange of line?.behind ?? []) exchange.dropped()
  }
}
