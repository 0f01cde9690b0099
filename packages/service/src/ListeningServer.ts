/**
 * The HTTP server that a service listens with: Node's, with its limits, the log of requests and the trusted proxies.
 *
 * @since 0.1.0
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { clientAddress, TrustedProxies } from "@parcela/http/ClientAddress"
import * as RequestNotes from "@parcela/http/RequestNotes"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { IncomingMessage } from "node:http"
import * as ActivityLog from "./ActivityLog.ts"
import { makeNodeServer } from "./NodeServer.ts"
import { languageOf, type ServiceOptions } from "./ServiceOptions.ts"
import { Stopping, timeToFinish } from "./Stopping.ts"
import { TrustedProxies as TrustedProxyList } from "./TrustedProxies.ts"

type Options = Pick<
  ServiceOptions,
  "host" | "language" | "lingering" | "log" | "naming" | "onRequest" | "port" | "trustedProxies"
>

/**
 * Takes the port when it is built. When it is closed, requests that are running have `timeToFinish`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: Options) => Layer.provideMerge(server(options), trustedProxies(options))

const server = (options: Options) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { host, lingering, log, onRequest, port } = options
      const language = languageOf(options)
      const trusted = yield* TrustedProxies
      const stopping = yield* Stopping
      const clock = yield* Clock.Clock
      const random = yield* SecureRandom.SecureRandom
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const server = {
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
        // Ids of two runs, or of two servers, are different ones in one log.
        requestIdPrefix: `${Hex.encode(yield* random.randomBytes(3))}-`,
        ...(language === undefined ? {} : { language }),
        lingering: lingering === undefined ? undefined : Duration.toMillis(lingering),
        finishing: Duration.toMillis(timeToFinish),
        onClose: (requests: number) => void run(stopping.begin(requests)),
        onFault: (fault: unknown) => void run(Effect.logError("A response could not be made", fault)),
        ...(log === undefined && onRequest === undefined
          ? {}
          : { onRequest: noteRequest(trusted), onResponse: ActivityLog.requests(log, onRequest, clock) })
      }
      return NodeHttpServer.layerServer(() => makeNodeServer(server), {
        host,
        port,
        gracefulShutdownTimeout: timeToFinish
      })
    })
  )

const noteRequest =
  (trusted: ReadonlyArray<string>) =>
  (request: IncomingMessage): void => {
    const forwardedFor = request.headers["x-forwarded-for"]
    const peer = request.socket.remoteAddress
    RequestNotes.keep(
      request,
      // Node joins lines of this field with commas, and gives a list for none but Set-Cookie.
      peer === undefined ? {} : { address: clientAddress(peer, forwardedFor?.toString(), trusted) }
    )
  }

/** A list that is not understood would throw at each request. */
const trustedProxies = ({ trustedProxies = [] }: Options) =>
  trustedProxies.length === 0
    ? Layer.empty
    : Layer.effect(TrustedProxies, Schema.decodeEffect(TrustedProxyList)(trustedProxies.join(",")))
