/**
 * The HTTP server of a service: Node's server with limits, the request log and the trusted proxies.
 *
 * @since 0.1.0
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as RequestRecord from "@parcela/http/ReceivedRequest"
import { clientAddress, TrustedProxies } from "@parcela/http/ReceivedRequest"
import { maximumBody } from "@parcela/http/ErrorResponse"
import { makeNodeServer } from "@parcela/node-server/NodeServer"
import { translated } from "@parcela/core/language/Translation"
import type { BufferedRequest } from "@parcela/node-server/Bodies"
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
import { languageOf, type ServiceOptions } from "./ServiceOptions.ts"
import { Stopping, timeToFinish } from "./Stopping.ts"
import { TrustedProxies as TrustedProxyList } from "./TrustedProxies.ts"

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
      const language = languageOf(options) ?? "en"
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
    if (!isLogged || peer === undefined) return RequestRecord.begin(request, { body })
    // Node joins lines of this header with commas; only Set-Cookie is a list.
    const forwardedFor = request.headers["x-forwarded-for"]?.toString()
    RequestRecord.begin(request, { body, address: clientAddress(peer, forwardedFor, trusted) })
  }

/** An invalid list would throw at each request, so it is validated at start. */
const trustedProxies = ({ trustedProxies = [] }: Options) =>
  trustedProxies.length === 0
    ? Layer.empty
    : Layer.effect(TrustedProxies, Schema.decodeEffect(TrustedProxyList)(trustedProxies.join(",")))
