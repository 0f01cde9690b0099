/**
 * The queue in front of an HTTP server: a bounded FIFO of waiting requests, and a limit of running requests.
 *
 * **Details**
 *
 * libuv accepts one connection in each iteration of the event loop, and Node serves every connection with a request
 * within that iteration. The queue therefore hands requests on with `setImmediate`, in ticks of a few milliseconds, so
 * that new connections are accepted in between.
 *
 * HTTP/1.1 sends responses in the order of the requests, so a connection has one running request. Pipelined requests
 * wait behind it. Above a limit the server stops reading the connection until fewer requests wait.
 *
 * @since 0.1.0
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { JoinedResponse } from "./Responses.ts"

/**
 * @category options
 * @since 0.1.0
 */
export interface QueueLimits {
  /** Maximum number of requests that were handed on and whose responses have not ended. */
  readonly pending: number
  /** Maximum number of connections with a waiting request. */
  readonly waiting: number
  /** Maximum number of pipelined requests of one connection before the server stops reading it. */
  readonly pipelined: number
  /** Maximum number of pipelined requests of all connections. */
  readonly pipelinedInAll: number
  /** Maximum bytes of the bodies of one connection's pipelined requests. */
  readonly pipelinedBytes: number
  /** Milliseconds after which a tick hands on no further request. */
  readonly tick: number
  /** Milliseconds without progress of an ended response, after which its connection is destroyed. */
  readonly stall: number
}

/**
 * @category options
 * @since 0.1.0
 */
export const defaultLimits: QueueLimits = {
  pending: 256,
  waiting: 1_024,
  pipelined: 100,
  pipelinedInAll: 8_192,
  pipelinedBytes: 65_536,
  tick: 4,
  stall: 20_000
}

/**
 * A request with its response, and callbacks of which the queue calls one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: JoinedResponse
  /** Size of the body. */
  readonly bytes: number
  /** Hands the request to the listener. */
  readonly handOn: () => void
  /** Called with an error that `handOn` throws. */
  readonly failed: (fault: unknown) => void
  /** Called when the connection closes while the request waits. */
  readonly dropped: () => void
}

/** The requests of a connection. */
interface Line {
  /** The request that waits or is under way. */
  current: Exchange | undefined
  /** Pipelined requests. */
  readonly behind: Array<Exchange>
  isPaused: boolean
  /** Runs when the connection has no request left. */
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
  /** The requests (`Line`) of each open connection. */
  private readonly lines = new Map<Socket, Line>()
  private readonly finished = new WeakSet<Socket>()
  private ready: Array<Exchange> = []
  private pending = 0
  private pipelined = 0
  private isScheduled = false

  /** `now` returns milliseconds from any fixed start. */
  constructor(limits: QueueLimits, now: () => number) {
    this.limits = limits
    this.now = now
  }

  /** Adds a request. Returns false if the queue is full. */
  take(exchange: Exchange): boolean {
    const { socket } = exchange.request
    const line = this.lines.get(socket)
    const isIdle = line?.current === undefined
    if (isIdle ? this.ready.length >= this.limits.waiting : this.isFull(line, exchange)) return false
    if (isIdle) {
      if (line === undefined) this.begin(exchange)
      else line.current = exchange
      this.wait(exchange)
      return true
    }
    this.pipelined++
    if (line.behind.push(exchange) > this.limits.pipelined && !line.isPaused) {
      line.isPaused = true
      socket.pause()
    }
    return true
  }

  /** Returns true if a request of the connection waits or runs. */
  isBusy(socket: Socket): boolean {
    return this.lines.get(socket)?.current !== undefined
  }

  /** Returns true if the connection accepts no further request. */
  isFinished(socket: Socket): boolean {
    return this.finished.has(socket)
  }

  /** Accepts no more requests; calls `last` after the response to the last complete one. */
  finish(socket: Socket, last?: () => void): void {
    this.finished.add(socket)
    const line = this.lines.get(socket)
    // Only the last request can be incomplete: its body is larger than the limit, and is not read further.
    if (line?.behind.at(-1)?.request.complete === false) {
      this.pipelined--
      line.behind.pop()?.dropped()
    }
    if (line?.current?.request.complete === true) line.last ??= last
    else last?.()
  }

  /** Returns the number of waiting and running requests. */
  get size(): number {
    return Array.from(this.lines.values()).reduce(
      (sum, { behind, current }) => sum + behind.length + (current === undefined ? 0 : 1),
      0
    )
  }

  /** Returns the last response of each connection. */
  lastResponses(): Map<Socket, JoinedResponse> {
    return new Map(
      Array.from(this.lines).flatMap(([socket, { behind, current }]) => {
        const last = behind.at(-1) ?? current
        return last === undefined ? [] : [[socket, last.response]]
      })
    )
  }

  /** Returns the unsent responses to requests that were handed on. */
  responsesUnderWay(): ReadonlyArray<JoinedResponse> {
    const waiting = new Set(this.ready)
    return Array.from(this.lines.values())
      .flatMap(({ current }) => (current === undefined || waiting.has(current) ? [] : [current.response]))
      .filter(({ headersSent, writableEnded }) => !headersSent && !writableEnded)
  }

  private begin(first: Exchange): void {
    const { socket } = first.request
    const line: Line = { current: first, behind: [], isPaused: false, last: undefined }
    this.lines.set(socket, line)
    // Node resumes the connection for the body of each request, also of one without a body.
    socket.on("resume", () => {
      if (line.isPaused) socket.pause()
    })
    socket.once("close", () => {
      // With a running request, the end of its response removes the line.
      if (line.current === undefined) this.lines.delete(socket)
    })
  }

  private isFull({ behind }: Line, { bytes }: Exchange): boolean {
    if (this.pipelined >= this.limits.pipelinedInAll) return true
    return bytes > 0 && behind.reduce((sum, each) => sum + each.bytes, bytes) > this.limits.pipelinedBytes
  }

  private wait(exchange: Exchange): void {
    // Clears the timeout that the previous response may have set.
    exchange.request.socket.setTimeout(0)
    this.ready.push(exchange)
    this.schedule()
  }

  private schedule(): void {
    if (this.isScheduled || this.ready.length === 0 || this.pending >= this.limits.pending) return
    this.isScheduled = true
    setImmediate(() => this.tick())
  }

  private tick(): void {
    const start = this.now()
    let taken = 0
    while (taken < this.ready.length && this.pending < this.limits.pending) {
      // The condition above guarantees the entry.
      this.start(this.ready[taken]!)
      taken++
      if (this.now() - start > this.limits.tick) break
    }
    this.ready = taken === this.ready.length ? [] : this.ready.slice(taken)
    this.isScheduled = false
    this.schedule()
  }

  private start(exchange: Exchange): void {
    const { request, response } = exchange
    if (isGone(exchange)) {
      this.drop(request.socket)
      return
    }
    this.pending++
    let isPending = true
    const free = () => {
      if (isPending) this.pending--
      isPending = false
      this.schedule()
    }
    // A slow reader keeps its response unfinished; the slot is free when the response has ended.
    response.onEnd = () => {
      free()
      if (request.socket.writableLength > 0) response.setTimeout(this.limits.stall)
    }
    // Emitted only once, so `on` is enough; `once` would wrap the listener.
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

  /** Puts the connection's next request at the end of the queue. */
  private next(socket: Socket): void {
    const line = this.lines.get(socket)
    if (socket.destroyed || line === undefined) {
      this.drop(socket)
      return
    }
    const following = line.behind.shift()
    line.current = following
    if (following === undefined) {
      const { last } = line
      line.last = undefined
      last?.()
    } else {
      this.pipelined--
      this.wait(following)
    }
    if (line.isPaused && line.behind.length <= this.limits.pipelined / 2) {
      line.isPaused = false
      socket.resume()
    }
  }

  /**
   * Drops the requests behind the current one. Node closes the current response, but emits no event for those behind
   * it.
   */
  private drop(socket: Socket): void {
    const behind = this.lines.get(socket)?.behind ?? []
    this.lines.delete(socket)
    this.pipelined -= behind.length
    for (const exchange of behind) exchange.dropped()
    this.schedule()
  }
}
