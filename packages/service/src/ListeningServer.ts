/**
 * The HTTP server of a service (Node's server with limits, the request log and the trusted proxies), and the log messages
 * of its stop.
 *
 * @since 0.1.0
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { begin, clientAddress, TrustedProxies } from "@parcela/http/ReceivedRequest"
import { Settings } from "@parcela/engine/Settings"
import { maximumBody } from "@parcela/http/ErrorResponse"
import { makeNodeServer } from "@parcela/node-server/NodeServer"
import { translated } from "@parcela/core/language/Translation"
import type { BufferedRequest } from "@parcela/node-server/Requests"
import * as ByteSize from "effect/ByteSize"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { IncomingMessage } from "node:http"
import * as ActivityLog from "./ActivityLog.ts"
import { languageOf, type ServiceOptions, TrustedProxyList } from "./ServiceOptions.ts"
import { PaymentAttempts } from "@parcela/engine/payments/PaymentAttempts"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import * as Context from "effect/Context"

type Options = Pick<
  ServiceOptions,
  "host" | "language" | "lingering" | "log" | "naming" | "onRequest" | "port" | "trustedProxies"
>

/**
 * The server layer. Building it binds the port; when it is closed, running requests have `timeToFinish`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options) => Layer.provideMerge(server(options), trustedProxies(options))

const server = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { host, lingering, log, onRequest, port } = options
      const language = languageOf(options) ?? (yield* Settings).language
      const trusted = yield* TrustedProxies
      const stopping = yield* Stopping
      const clock = yield* Clock.Clock
      const random = yield* SecureRandom.SecureRandom
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const server = {
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
        // The prefix makes ids of several runs or servers unique in one log.
        requestIdPrefix: `${Hex.encode(yield* random.randomBytes(3))}-`,
        bodies: { each: ByteSize.toNumberUnsafe(maximumBody) },
        errorBody: (message: string) => JSON.stringify({ error: { message: translated(message, language) } }),
        // Health checks of a supervisor must succeed when the queue is full.
        isUrgent: ({ method, url }: IncomingMessage) => method === "GET" && url === "/health",
        onRequest: beginRecord(trusted, log !== undefined || onRequest !== undefined),
        lingering: lingering === undefined ? undefined : Duration.toMillis(lingering),
        finishing: Duration.toMillis(timeToFinish),
        onClose: (requests: number) => void run(stopping.begin(requests)),
        onFault: (fault: unknown) => void run(Effect.logError("A response could not be made", fault)),
        onResponse:
          log === undefined && onRequest === undefined ? undefined : ActivityLog.requests(log, onRequest, clock)
      }
      return NodeHttpServer.layerServer(() => makeNodeServer(server), {
        host,
        port,
        gracefulShutdownTimeout: timeToFinish
      })
    })
  )

const beginRecord =
  (trusted: ReadonlyArray<string>, isLogged: boolean) =>
  (request: BufferedRequest): void => {
    const body = () => request.whole
    const peer = request.socket.remoteAddress
    if (!isLogged || peer === undefined) return begin(request, { body })
    // Node joins lines of this header with commas; only Set-Cookie is a list.
    const forwardedFor = request.headers["x-forwarded-for"]?.toString()
    begin(request, { body, address: clientAddress(peer, forwardedFor, trusted) })
  }

/** An invalid list would throw at each request, so it is validated at start. */
const trustedProxies = ({ trustedProxies = [] }: Options) =>
  trustedProxies.length === 0
    ? Layer.empty
    : Layer.effect(TrustedProxies, Schema.decodeEffect(TrustedProxyList)(trustedProxies.join(",")))

/**
 * Maximum duration of requests after the service starts to stop.
 *
 * @category constants
 * @since 0.1.0
 */
const timeToFinish: Duration.Duration = Duration.seconds(10)

/** Returns the number of running operations of one kind, with the singular noun of the kind. */
type Count = Effect.Effect<readonly [count: number, noun: string]>

/**
 * @category services
 * @since 0.1.0
 */
export class Stopping extends Context.Service<
  Stopping,
  {
    /** Adds a counter to the message. */
    readonly count: (counted: Count) => void
    /**
     * Logs the running operations. Called after the last request is accepted, with the number of requests without a
     * response.
     */
    readonly begin: (requests: number) => Effect.Effect<void>
  }
>()("@parcela/service/Stopping") {}

const plural = (noun: string): string => (noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`)

/** Returns the running operations as one line. */
const sentence = (counts: ReadonlyArray<readonly [count: number, noun: string]>): string => {
  const found = counts.flatMap(([count, noun]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? noun : plural(noun)}`]
  )
  return found.length === 0
    ? "Stopping: nothing is under way"
    : `Stopping, with ${found.join(", ")} under way: requests have ${Duration.toSeconds(timeToFinish)} seconds to finish, and what is left is taken up at the next start`
}

/**
 * The layer. It closes, and logs the end, after every layer that depends on it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerStopping = ({ log }: Pick<ServiceOptions, "log">): Layer.Layer<Stopping> =>
  Layer.effect(
    Stopping,
    Effect.gen(function* () {
      const counts: Array<Count> = []
      const write = (text: string) => (log === undefined ? Effect.void : Effect.logInfo(text))
      let hasStarted = false
      yield* Effect.addFinalizer(() => (hasStarted ? write("Stopped") : Effect.void))
      return Stopping.of({
        count: (one) => void counts.push(one),
        begin: Effect.fnUntraced(function* (requests) {
          // A failed start also closes the port; the start's error is enough.
          if (counts.length === 0) return
          hasStarted = true
          yield* write(sentence([[requests, "request"], ...(yield* Effect.all(counts))]))
        })
      })
    })
  )

/**
 * Counts the engine's running operations.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerCounts: Layer.Layer<never, never, DeliveryWorker | PaymentAttempts | Stopping> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { count } = yield* Stopping
    const attempts = yield* PaymentAttempts
    const deliveries = yield* DeliveryWorker
    count(Effect.map(attempts.running, (found) => [found, "payment attempt"]))
    count(Effect.map(deliveries.pending, (found) => [found, "delivery"]))
  })
)
