/**
 * Closes connections within a bounded time, without losing requests in transit or unsent responses.
 *
 * **Details**
 *
 * Node closes connections without a request as soon as a server is closed. A request in transit is then reset, and its
 * client cannot know whether it was executed. This server keeps idle connections open for a moment. In this time a
 * frequent client receives a response with `Connection: close`.
 *
 * A client may end its side of a connection after its last request, as scripts and some proxies do. Node then closes
 * the connection before the responses are sent; this server closes it after the last response.
 *
 * @since 0.1.0
 */
import { Server, type ServerOptions } from "node:http"
import type { BufferedRequest } from "./Requests.ts"
import type { JoinedResponse } from "./Responses.ts"

/** Milliseconds: enough for a round trip, and for a client with a new response to send its next request. */
const defaultLingering = 500

/**
 * @category options
 * @since 0.1.0
 */
export interface Lingering {
  /** Milliseconds that connections without a request stay open after the server is closed; default 500. */
  readonly lingering?: number | undefined
  /** Milliseconds after the close until all other connections are closed, even with running requests. */
  readonly longest: number
}

/**
 * A server whose connections stay open for a moment after it is closed. In this time responses must have `Connection:
 * close`.
 *
 * @category models
 * @since 0.1.0
 */
export class LingeringServer extends Server<typeof BufferedRequest, typeof JoinedResponse> {
  /**
   * A property of `http.Server` that Node does not document. Without it Node closes a connection, with its unsent
   * responses, when the client ends its side. The documented `allowHalfOpen` of `net.Server` does not change this: Node's
   * HTTP server always sets it. Two tests of `Shutdown.test.ts` fail if the property has no effect.
   */
  readonly httpAllowHalfOpen = true
  private readonly times: Lingering
  private isLingering = false

  constructor(options: ServerOptions<typeof BufferedRequest, typeof JoinedResponse>, times: Lingering) {
    super(options)
    this.times = times
  }

  override close(callback?: (error?: Error) => void): this {
    if (this.listening) this.linger()
    return super.close(callback)
  }

  /** Called by Node when the server is closed. */
  override closeIdleConnections(): void {
    if (!this.isLingering) super.closeIdleConnections()
  }

  private linger(): void {
    const { lingering = defaultLingering, longest } = this.times
    this.isLingering = lingering > 0
    const idle = timer(lingering, () => {
      this.isLingering = false
      this.closeIdleConnections()
    })
    // Node applies no timeouts to requests of a closed server: a request that never ends would keep the process
    // running.
    const all = timer(longest, () => this.closeAllConnections())
    this.once("close", () => {
      clearTimeout(idle)
      clearTimeout(all)
    })
  }
}

/** Returns a timer that does not keep the process running. */
const timer = (milliseconds: number, act: () => void) =>
  // oxlint-disable-next-line parcela/no-ambient -- as Node's own limits of connections: a clock that is moved closes none
  setTimeout(act, milliseconds).unref()
