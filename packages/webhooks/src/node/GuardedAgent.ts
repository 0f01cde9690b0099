/**
 * Connections of undici, Node's HTTP client, that reach only addresses that deliveries may go to.
 *
 * **Details**
 *
 * The address is looked at where the connection is made, after the name was resolved and before a byte is sent, so a
 * name that resolves to something else the next time (DNS rebinding) gets nowhere. A kept connection goes where it was
 * made to.
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
  /** Whether addresses of this machine and of private networks may be reached; default false. */
  readonly allowPrivate?: boolean | undefined
  /** Private addresses that may be reached all the same: `10.1.2.3`, `10.1.0.0/16`, `fd00::/8`. */
  readonly exceptions?: ReadonlyArray<string> | undefined
}

/**
 * Whether a delivery may go to an address. Link-local, multicast, broadcast and unspecified addresses and
 * those of metadata services never may.
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
 * Whether deliveries may go to a URL, as far as its host tells without a lookup. Any other name passes: its addresses are
 * checked when a connection is made.
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

/** Without the brackets of an IPv6 address. */
const hostOf = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, "$1")

/** The code of the error with which a forbidden connection fails. */
const refusedCode = "ERR_ADDRESS_NOT_ALLOWED"

const refused = () => Object.assign(new Error("The address is none that may be reached"), { code: refusedCode })

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

/** Ports of other protocols, which might take a request for a command: the "bad ports" of the WHATWG's Fetch. */
// oxfmt-ignore
const otherProtocols: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
  113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
  554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080
])

// An address in the place of a name is not looked up, so it is looked at here. IPv6 comes in brackets.
const isRefused = (policy: DestinationPolicy, hostname: string, port: string): boolean => {
  const host = hostOf(hostname)
  return otherProtocols.has(Number(port)) || (isIP(host) !== 0 && !mayReach(policy, host))
}

/** How many connections are kept, to all receivers together: each holds a file of the process. */
const mostKept = 256

/** Shorter than Node's servers keep a connection: one that the receiver is closing is not used again. */
const longestIdle = 4_000

/** How long a connection may take to be made; whoever waits for it gives up sooner. */
const longestConnect = 10_000

/**
 * What becomes of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface Handler extends Dispatcher.DispatchHandler {
  /** Without a connection there is no controller. */
  readonly onResponseError: (controller: unknown, error: Error) => void
}

/**
 * Sends requests over connections that it keeps.
 *
 * @category models
 * @since 0.1.0
 */
export interface GuardedAgent {
  /** Throws nothing: what goes wrong is the handler's error. */
  readonly dispatch: (request: Dispatcher.DispatchOptions & { readonly origin: string }, handler: Handler) => void
  /** How many connections are open. */
  readonly open: () => number
}

/**
 * An agent that is closed with the scope. An endpoint gets as many connections as it has requests at once.
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
    // Beyond the bound a request takes its connection with it.
    if (this.agent !== undefined) return void this.agent.dispatch({ ...request, reset: this.open >= mostKept }, handler)
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

  /** When it is needed: a program that delivers nothing starts sooner without it. */
  private load(): Promise<void> {
    this.loading ??= import("undici").then(({ Agent, buildConnector }) => {
      const connect = buildConnector({ lookup: guardedLookup(this.policy), allowH2: false, timeout: longestConnect })
      this.agent = new Agent({
        allowH2: false,
        keepAliveTimeout: longestIdle,
        keepAliveMaxTimeout: longestIdle,
        connect: (destination, callback) => {
          if (isRefused(this.policy, destination.hostname, destination.port)) return callback(refused(), null)
          // Counted before it is there, so that many that are made at once do not pass the bound together.
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
