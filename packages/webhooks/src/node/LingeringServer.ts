/**
 * The end of connections: without a request that is lost on its way or a response that is not sent, and within a bounded time.
 *
 * **Details**
 *
 * Node closes connections without a request as soon as a server is closed, and the request that is on its way on one is reset: its
 * client cannot know whether it was carried out. Here they stay open for a moment. Whoever sends often has had a response
 * meanwhile that says that it is the last one of its connection; of a client that seldom sends, a request may still meet the close.
 *
 * A client may end its side of a connection as soon as its requests are sent, as scripts and some proxies do. Node then closes the
 * connection before their responses are there, although what they ask for is done; here it is closed after the last of them.
 *
 * @since 0.1.0
 */
import { Server, type ServerOptions } from "node:http"
import type { BufferedRequest } from "./BufferedBodies.ts"
import type { BurstResponse } from "./BurstResponse.ts"

/** Long enough for a round trip, and for a client that has just had its response to send its next request. */
const defaultLingering = 500

/**
 * @category options
 * @since 0.1.0
 */
export interface Lingering {
  /** How long connections without a request stay open once the server is closed, in milliseconds; default 500. */
  readonly lingering?: number | undefined
  /** When all others are closed, whatever comes or goes on them, in milliseconds after the close. */
  readonly longest: number
}

/**
 * A server whose connections stay open for a moment once it is closed. Its responses have to say `Connection: close` from then on.
 *
 * @category models
 * @since 0.1.0
 */
export class LingeringServer<Response extends typeof BurstResponse = typeof BurstResponse> extends Server<
  typeof BufferedRequest,
  Response
> {
  /** Node's own option, which its types do not name: a connection whose client sends no more gets its responses before it is ended. */
  readonly httpAllowHalfOpen = true
  private readonly times: Lingering
  private isLingering = false

  constructor(options: ServerOptions<typeof BufferedRequest, Response>, times: Lingering) {
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
    // A closed server looks for slow requests no more: one that never ends would hold up the end of the process.
    const all = timer(longest, () => this.closeAllConnections())
    this.once("close", () => {
      clearTimeout(idle)
      clearTimeout(all)
    })
  }
}

/** It keeps no process running. */
const timer = (milliseconds: number, act: () => void) =>
  // oxlint-disable-next-line parcela/no-ambient -- as Node's own limits of connections: a clock that is moved closes none
  setTimeout(act, milliseconds).unref()
