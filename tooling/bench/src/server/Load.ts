/**
 * Closed-loop load over plain sockets: each connection sends a request, reads its whole response, and sends the next.
 * A client library would cost more on this side than the floors cost on theirs.
 */
import { connect, type Socket } from "node:net"

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

export const run = async (options: {
  readonly url: string
  readonly connections: number
  readonly seconds: number
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
  const ownCpu = process.cpuUsage()
  const started = performance.now()
  const end = started + options.seconds * 1_000

  const work = async (index: number) => {
    let first = performance.now()
    const connection = before[index] ?? (await opened())
    try {
      while (performance.now() < end) {
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

class Connection {
  readonly #socket: Socket
  #received: Array<Buffer> = []
  #bytes = 0
  /** Bytes of the whole response, once its head is there. */
  #expected = Infinity
  #status = 0
  #bodyAt = 0
  #resolve: ((response: Response) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setTimeout(patience, () => socket.destroy())
    socket.on("data", (chunk) => this.#read(chunk))
    socket.on("error", (error) => this.#settle({ status: 0, body: String(error) }))
    socket.on("close", () => this.#settle({ status: 0, body: "the connection was closed" }))
  }

  static open(host: string, port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port }, () => {
        socket.off("error", reject)
        resolve(new Connection(socket))
      })
      socket.once("error", reject)
    })
  }

  exchange(request: Buffer): Promise<Response> {
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#received = []
      this.#bytes = 0
      this.#expected = Infinity
      if (this.#socket.destroyed) this.#settle({ status: 0, body: "the connection was closed" })
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#bytes += chunk.length
    if (this.#expected === Infinity) this.#readHead()
    if (this.#bytes < this.#expected) return
    // Only what failed is looked at again; the rest is counted.
    const body = this.#status === 200 ? "" : Buffer.concat(this.#received).subarray(this.#bodyAt).toString()
    this.#settle({ status: this.#bytes === this.#expected ? this.#status : 0, body })
  }

  #readHead(): void {
    const all = this.#received.length === 1 ? this.#received[0]! : Buffer.concat(this.#received)
    const at = all.indexOf(headEnd)
    if (at === -1) return
    const head = all.subarray(0, at).toString("latin1")
    this.#status = Number(head.slice(9, 12))
    this.#bodyAt = at + headEnd.length
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    // All that are measured say their length. One that does not is counted as a failure.
    if (length === undefined) this.#status = 0
    this.#expected = this.#bodyAt + Number(length ?? all.length - this.#bodyAt)
  }

  #settle(response: Response): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(response)
  }
}
