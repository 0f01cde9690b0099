/**
 * Connections of Node's HTTP client that reach only addresses that deliveries may go to.
 *
 * **Details**
 *
 * The address is looked at where the connection is made, after the name was resolved and before a byte is sent, so a
 * name that resolves to something else the next time (DNS rebinding) gets nowhere. A kept connection goes where it was
 * made to.
 *
 * @since 0.1.0
 */
import { addressRange, isWithin } from "@parcela/core/companies/AddressRange"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { lookup } from "node:dns"
import * as Http from "node:http"
import * as Https from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { Duplex } from "node:stream"

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
 * Whether a delivery may go to an address. Link-local, multicast, broadcast and unspecified addresses never may.
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

interface Destination {
  readonly host?: string | null | undefined
  readonly port?: number | string | null | undefined
}

// An address in the place of a name is not looked up, so it is looked at here.
const isRefused = (policy: DestinationPolicy, { host, port }: Destination): boolean =>
  otherProtocols.has(Number(port)) || (typeof host === "string" && isIP(host) !== 0 && !mayReach(policy, host))

/** How many connections without a request are kept, to all receivers together: each holds a file of the process. */
const mostIdle = 256

/** Whether one more may be kept; an agent by itself bounds those to one receiver alone. */
const hasRoom = (agent: Http.Agent): boolean =>
  Object.values(agent.freeSockets).reduce((count, sockets) => count + (sockets?.length ?? 0), 0) < mostIdle

const options = (policy: DestinationPolicy) => ({
  keepAlive: true,
  // Shorter than Node's servers keep a connection: one that the receiver is closing is not used again.
  timeout: 4_000,
  maxFreeSockets: 64,
  lookup: guardedLookup(policy)
})

class GuardedHttp extends Http.Agent {
  readonly #policy: DestinationPolicy
  constructor(policy: DestinationPolicy) {
    super(options(policy))
    this.#policy = policy
  }
  override createConnection(...[request, callback]: Parameters<Http.Agent["createConnection"]>) {
    if (!isRefused(this.#policy, request)) return super.createConnection(request, callback)
    // Node's agent takes the error and makes no connection; its type asks for a stream all the same.
    callback?.(refused(), new Duplex())
    return undefined
  }
  override keepSocketAlive(socket: Duplex) {
    return hasRoom(this) && super.keepSocketAlive(socket)
  }
}

class GuardedHttps extends Https.Agent {
  readonly #policy: DestinationPolicy
  constructor(policy: DestinationPolicy) {
    super(options(policy))
    this.#policy = policy
  }
  override createConnection(...[request, callback]: Parameters<Https.Agent["createConnection"]>) {
    if (!isRefused(this.#policy, request)) return super.createConnection(request, callback)
    // Node's agent takes the error and makes no connection; its type asks for a stream all the same.
    callback?.(refused(), new Duplex())
    return undefined
  }
  override keepSocketAlive(socket: Duplex) {
    return hasRoom(this) && super.keepSocketAlive(socket)
  }
}

/**
 * Agents for `node:http` and `node:https`, closed with the scope. They keep connections.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (
  policy: DestinationPolicy = {}
): Effect.Effect<{ readonly http: Http.Agent; readonly https: Https.Agent }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => ({ http: new GuardedHttp(policy), https: new GuardedHttps(policy) })),
    ({ http, https }) =>
      Effect.sync(() => {
        http.destroy()
        https.destroy()
      })
  )
