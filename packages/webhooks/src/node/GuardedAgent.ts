/**
 * Connections of undici, Node's HTTP client, to permitted addresses only.
 *
 * **Details**
 *
 * The agent checks the address after the DNS lookup and before it sends a byte. A name that later resolves to another
 * address (DNS rebinding) is therefore harmless. A reused connection stays at its address.
 *
 * @since 0.1.0
 */
import { addressRange, isMetadataName, isWithin } from "@parcela/core/companies/AddressRange"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { lookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import type { Agent, Dispatcher } from "undici"

/**
 * @category options
 * @since 0.1.0
 */
export interface DestinationPolicy {
  /** Permits addresses of this machine and of private networks. Default: false. */
  readonly allowPrivate?: boolean | undefined
  /** Permitted private addresses: `10.1.2.3`, `10.1.0.0/16`, `fd00::/8`. */
  readonly exceptions?: ReadonlyArray<string> | undefined
}

/**
 * True if the policy permits an address. Link-local, multicast, broadcast and unspecified addresses and those of metadata
 * services are never permitted.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayReach = ({ allowPrivate = false, exceptions = [] }: DestinationPolicy, address: string): boolean => {
  switch (addressRange(address)) {
    case "public":
      return true
    case "private":
      return allowPrivate || isWithin(address, exceptions)
    default:
      return false
  }
}

/**
 * Returns a function that is true if the policy permits the host of a URL, without a DNS lookup. Other host names are
 * permitted here, because the agent checks their addresses.
 *
 * @category predicates
 * @since 0.1.0
 */
export const mayDeliverTo =
  (policy: DestinationPolicy = {}) =>
  (url: string): boolean => {
    const host = hostOf(URL.parse(url)?.hostname ?? "")
    if (isMetadataName(host)) return false
    if (/^(.+\.)?localhost\.?$/iu.test(host)) return mayReach(policy, "127.0.0.1")
    return isIP(host) === 0 || mayReach(policy, host)
  }

/** Removes the brackets of an IPv6 address. */
const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1")

/** The error code of a forbidden connection. */
const refusedCode = "ERR_ADDRESS_NOT_ALLOWED"

const refused = () => Object.assign(new Error("The address is not permitted"), { code: refusedCode })

const guardedLookup =
  (policy: DestinationPolicy): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "")
      const allowed = addresses.filter(({ address }) => mayReach(policy, address))
      const [first] = allowed
      if (first === undefined) return callback(refused(), "")
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })

/** Ports of other protocols, which might execute a request as a command: the "bad ports" of the WHATWG's Fetch. */
// oxfmt-ignore
const otherProtocols: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
  113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
  554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])

// An address in a URL has no DNS lookup, so it is checked here. IPv6 addresses have brackets.
const isRefused = (policy: DestinationPolicy, hostname: string, port: string): boolean => {
  const host = hostOf(hostname)
  return otherProtocols.has(Number(port)) || (isIP(host) !== 0 && !mayReach(policy, host))
}

/** Maximum number of reused connections to all receivers. Each connection is an open file of the process. */
const maxReused = 256

/** Maximum idle time of a connection in milliseconds. Shorter than that of Node's servers, which then close it. */
const maxIdle = 4_000

/** Maximum time to connect in milliseconds, longer than the timeout of an attempt. */
const maxConnect = 10_000

/**
 * The callbacks of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Handler extends Dispatcher.DispatchHandler {
  /** The controller is undefined without a connection. */
  readonly onResponseError: (controller: unknown, error: Error) => void
}

/**
 * Sends requests over reused connections.
 *
 * @category models
 * @since 0.1.0
 */
export interface GuardedAgent {
  /** Reports every error to the handler and never throws. */
  readonly dispatch: (request: Dispatcher.DispatchOptions & { readonly origin: string }, handler: Handler) => void
  /** Returns the number of open connections. */
  readonly open: () => number
}

/**
 * Makes an agent that is closed with the scope. Each concurrent request to an endpoint has its own connection.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (policy: DestinationPolicy = {}): Effect.Effect<GuardedAgent, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Connections(policy)),
      (connections) => Effect.promise(() => connections.close())
    ),
    (connections): GuardedAgent => ({
      dispatch: (request, handler) => connections.dispatch(request, handler),
      open: () => connections.open
    })
  )

class Connections {
  open = 0
  private readonly policy: DestinationPolicy
  private agent: Agent | undefined
  private loading: Promise<void> | undefined
  private isClosed = false

  constructor(policy: DestinationPolicy) {
    this.policy = policy
  }

  dispatch(...[request, handler]: Parameters<GuardedAgent["dispatch"]>): void {
    // Above the maximum, the connection closes after its request.
    if (this.agent !== undefined)
      return void this.agent.dispatch({ ...request, reset: this.open >= maxReused }, handler)
    this.load().then(
      () => this.isClosed || this.dispatch(request, handler),
      (error) => handler.onResponseError(undefined, error)
    )
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.loading
    await this.agent?.destroy()
  }

  /** Loads undici for the first request, because a program without deliveries starts faster without undici. */
  private load(): Promise<void> {
    this.loading ??= import("undici").then(({ Agent, buildConnector }) => {
      const connect = buildConnector({ lookup: guardedLookup(this.policy), allowH2: false, timeout: maxConnect })
      this.agent = new Agent({
        allowH2: false,
        keepAliveTimeout: maxIdle,
        keepAliveMaxTimeout: maxIdle,
        connect: (destination, callback) => {
          if (isRefused(this.policy, destination.hostname, destination.port)) return callback(refused(), null)
          // Counted before it is open, so that concurrent connections do not exceed the maximum.
          this.open += 1
          const ended = () => {
            this.open -= 1
          }
          connect(destination, (...made) => {
            if (made[0] === null) made[1].once("close", ended)
            else ended()
            callback(...made)
          })
        }
      })
    })
    return this.loading
  }
}
