/**
 * The end of connections: without a request that is lost on its way or a response that is not sent, and within a bounded time.
 *
 * **Details**
 *
 * Node closes connections without a request as soon as a server is closed, and resets a request that is on its way: its client cannot
 * know whether it was carried out. Here idle connections stay open for a moment, in which a frequent client has a response that says
 * that it is the last of its connection.
 *
 * A client may end its side of a connection as soon as its requests are sent, as scripts and some proxies do. Node then closes the
 * connection before the responses are sent; here it is closed after the last of them.
 *
 * @since 0.1.0
 */
import { Server, type ServerOptions } from "node:http"
import type { BufferedRequest } from "./Bodies.ts"
import type { JoinedResponse } from "./Responses.ts"

/** Milliseconds: enough for a round trip, and for a client with a new response to send its next request. */
const defaultLingering = 500

/**
 * @category options
 * @since 0.1.0
 */
export interface Lingering {
  /** Milliseconds for which connections without a request stay open once the server is closed; default 500. */
  readonly lingering?: number | undefined
  /** Milliseconds after the close when all other connections are closed, whatever is under way on them. */
  readonly longest: number
}

/**
 * A server whose connections stay open for a moment once it is closed. From then on its responses must say `Connection: close`.
 *
 * @category models
 * @since 0.1.0
 */
export class LingeringServer extends Server<typeof BufferedRequest, typeof JoinedResponse> {
  /** Node documents no way to answer a client that has ended its side; `Shutdown.test.ts` checks this property of `http.Server`. */
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

  /** Node calls it when the server is closed. */
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
    // Node does not time requests of a closed server out: a request that never ends would keep the process.
    const all = timer(longest, () => this.closeAllConnections())
    this.once("close", () => {
      clearTimeout(idle)
      clearTimeout(all)
    })
  }
}

/** A timer that does not keep the process running. */
const timer = (milliseconds: number, act: () => void) =>
  // oxlint-disable-next-line parcela/no-ambient -- as Node's own limits of connections: a clock that is moved closes none
  setTimeout(act, milliseconds).unref()
