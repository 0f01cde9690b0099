/**
 * Closed-loop load over plain sockets: each connection sends a request, reads its whole response, and sends the next.
 * A client library would cost more on this side than the floors cost on theirs.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as after } from "node:timers/promises"

export interface Exchange {
  readonly request: Buffer
  /** What else has to happen before the next request, beside the response. */
  readonly until?: Promise<unknown>
}

export interface Measured {
  /** Responses with status 200. */
  readonly completed: number
  /** All other responses, by status; a broken connection is `0`. */
  readonly failures: Readonly<Record<string, number>>
  /** The body of the first of them. */
  readonly firstFailure: string | undefined
  readonly seconds: number
  /** CPU of this process meanwhile: what the load itself cost the machine. */
  readonly ownCpuMicros: number
  /** Of each completed exchange, in milliseconds, ascending. */
  readonly latencies: ReadonlyArray<number>
}

/** Longer than any request may take; a server that does not respond ends the run instead of holding it. */
const patience = 60_000

/**
 * Milliseconds after which a server that is idle has accepted the connections, which it does one by one: to this side they are
 * open before, and of 32 the last ones would be served only when the others had been some thirty times.
 */
const accepting = 25

export const run = async (options: {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** No more of them than this, if it is sooner. */
  readonly requests?: number
  /** Connections are opened before the clock starts, or by the first request of each. */
  readonly open: "before" | "within"
  readonly next: (connection: number) => Exchange
}): Promise<Measured> => {
  const { hostname, port } = new URL(options.url)
  const latencies: Array<number> = []
  const failures: Record<string, number> = {}
  let firstFailure: string | undefined
  const opened = () => Connection.open(hostname, Number(port))
  const before = options.open === "before" ? await Promise.all(many(options.connections, opened)) : []
  if (options.open === "before") await after(accepting)
  const ownCpu = process.cpuUsage()
  const started = performance.now()
  const end = started + options.seconds * 1_000
  let left = options.requests ?? Infinity

  const work = async (index: number) => {
    let first = performance.now()
    const connection = before[index] ?? (await opened())
    try {
      while (performance.now() < end && left-- > 0) {
        const sent = options.open === "within" ? first : performance.now()
        const { request, until } = options.next(index)
        const { body, status } = await connection.exchange(request)
        if (status === 200) {
          await until
          latencies.push(performance.now() - sent)
        } else {
          failures[status] = (failures[status] ?? 0) + 1
          firstFailure ??= body
          if (status === 0) return
        }
        first = performance.now()
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(many(options.connections, work))
  const seconds = (performance.now() - started) / 1_000
  const { system, user } = process.cpuUsage(ownCpu)
  return {
    completed: latencies.length,
    failures,
    firstFailure,
    seconds,
    ownCpuMicros: system + user,
    latencies: latencies.sort((a, b) => a - b)
  }
}

const many = <A>(count: number, make: (index: number) => A): Array<A> =>
  Array.from({ length: count }, (_, index) => make(index))

interface Response {
  readonly status: number
  readonly body: string
}

const headEnd = Buffer.from("\r\n\r\n")

/** What is read lands here, of every connection, and is looked at before the next read: nothing is allocated for it. */
const buffer = Buffer.allocUnsafeSlow(256 * 1_024)

class Connection {
  readonly #socket: Socket
  /** The beginning of a head whose end has not arrived. */
  #head: Buffer | undefined
  /** Bytes of the body that have not arrived; not a number before the head has. */
  #left = NaN
  #status = 0
  /** Kept of what failed; the rest is counted. */
  #body = ""
  #resolve: ((response: Response) => void) | undefined

  private constructor(host: string, port: number) {
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length))
      return true
    }
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer, callback } })
    this.#socket.setTimeout(patience, () => this.#socket.destroy())
    this.#socket.on("error", (error) => this.#settle({ status: 0, body: String(error) }))
    this.#socket.on("close", () => this.#settle({ status: 0, body: "the connection was closed" }))
  }

  static async open(host: string, port: number): Promise<Connection> {
    const connection = new Connection(host, port)
    await once(connection.#socket, "connect")
    return connection
  }

  exchange(request: Buffer): Promise<Response> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#head = undefined
      this.#left = NaN
      this.#body = ""
      if (this.#socket.destroyed) this.#settle({ status: 0, body: "the connection was closed" })
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const body = Number.isNaN(this.#left) ? this.#readHead(chunk) : chunk
    if (body === undefined) return
    this.#left -= body.length
    if (this.#status !== 200) this.#body += body.toString()
    if (this.#left > 0) return
    this.#settle({ status: this.#left === 0 ? this.#status : 0, body: this.#body })
  }

  /** What follows the head, once it is whole. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const all = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk])
    const at = all.indexOf(headEnd)
    if (at === -1) {
      this.#head = Buffer.from(all)
      return undefined
    }
    const head = all.toString("latin1", 0, at)
    const body = all.subarray(at + headEnd.length)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    // All that are measured say their length. One that does not is counted as a failure.
    this.#status = length === undefined ? 0 : Number(head.slice(9, 12))
    this.#left = length === undefined ? body.length : Number(length)
    return body
  }

  #settle(response: Response): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(response)
  }
}
