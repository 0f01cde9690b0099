/**
 * Closed-loop load over plain sockets: each connection sends a request, reads the whole response, and sends the next one.
 * A client library would cost more CPU here than the floors use.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export interface Measured {
  /** Responses with status 200. */
  readonly completed: number
  /** All other responses, by status; a broken connection is `0`. */
  readonly failures: Readonly<Record<string, number>>
  /** The body of the first failure. */
  readonly firstFailure: string | undefined
  readonly seconds: number
  /** CPU time of this process during the load. */
  readonly ownCpuMicros: number
  /** Milliseconds of each completed exchange, ascending. */
  readonly latencies: ReadonlyArray<number>
}

/** Milliseconds after which a connection without a response is broken. */
const responseLimit = 60_000

/** Milliseconds in which a server accepts the connections before the clock starts. */
const accepting = 25

export const run = async (options: {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly next: () => Buffer
}): Promise<Measured> => {
  const { hostname, port } = new URL(options.url)
  const latencies: Array<number> = []
  const failures: Record<string, number> = {}
  let firstFailure: string | undefined
  const connections = await Promise.all(
    Array.from({ length: options.connections }, () => Connection.open(hostname, Number(port)))
  )
  await sleep(accepting)
  const ownCpu = process.cpuUsage()
  const started = performance.now()
  const end = started + options.seconds * 1_000

  const work = async (connection: Connection) => {
    try {
      while (performance.now() < end) {
        const sent = performance.now()
        const { body, status } = await connection.exchange(options.next())
        if (status === 200) {
          latencies.push(performance.now() - sent)
        } else {
          failures[status] = (failures[status] ?? 0) + 1
          firstFailure ??= body
          if (status === 0) return
        }
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(connections.map(work))
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

interface Response {
  readonly status: number
  readonly body: string
}

const headEnd = Buffer.from("\r\n\r\n")

/** Shared by all connections: each chunk is read before the next one arrives. */
const buffer = Buffer.allocUnsafeSlow(256 * 1_024)

class Connection {
  readonly #socket: Socket
  /** The beginning of a head whose end has not arrived. */
  #head: Buffer | undefined
  /** Bytes of the body that have not arrived; NaN until the head has. */
  #missing = NaN
  #status = 0
  /** Stored for failures only. */
  #body = ""
  #resolve: ((response: Response) => void) | undefined

  private constructor(host: string, port: number) {
    const callback = (length: number) => {
      this.#read(buffer.subarray(0, length))
      return true
    }
    this.#socket = connect({ host, port, noDelay: true, onread: { buffer, callback } })
    this.#socket.setTimeout(responseLimit, () => this.#socket.destroy())
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
      this.#missing = NaN
      this.#body = ""
      if (this.#socket.destroyed) this.#settle({ status: 0, body: "the connection was closed" })
      else this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const body = Number.isNaN(this.#missing) ? this.#readHead(chunk) : chunk
    if (body === undefined) return
    this.#missing -= body.length
    if (this.#status !== 200) this.#body += body.toString()
    if (this.#missing > 0) return
    this.#settle({ status: this.#missing === 0 ? this.#status : 0, body: this.#body })
  }

  /** Returns what follows the head, once the head is complete. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const all = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk])
    const at = all.indexOf(headEnd)
    if (at === -1) {
      this.#head = Buffer.from(all)
      return undefined
    }
    const head = all.toString("latin1", 0, at)
    const body = all.subarray(at + headEnd.length)
    // A response without a content length counts as a failure.
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#status = length === undefined ? 0 : Number(head.slice(9, 12))
    this.#missing = length === undefined ? body.length : Number(length)
    return body
  }

  #settle(response: Response): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(response)
  }
}
