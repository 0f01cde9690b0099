/**
 * The simulator of API Pix as a server with a SQLite file.
 *
 * @since 0.1.0
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { CompanyId } from "@parcela/core/companies/CompanyState"
import * as PixApiServer from "@parcela/provider-simulator/pixApi/PixApiServer"
import { SimulatorStore } from "@parcela/provider-simulator/SimulatorStore"
import * as NodeSqliteClient from "@parcela/sqlite/NodeSqliteClient"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { createServer } from "node:http"
import type { Settings } from "./Settings.ts"

/** Cuts the connection, so that the client sees a lost request. */
const cut = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.sync(() => NodeHttpServerRequest.toIncomingMessage(request).socket.destroy())

/** A clock that starts at `from` and runs with the machine's clock. */
const clockFrom = (from: DateTime.Utc | undefined) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (machine): Clock.Clock => {
      if (from === undefined) return machine
      const offset = DateTime.toEpochMillis(from) - machine.currentTimeMillisUnsafe()
      const millis = () => machine.currentTimeMillisUnsafe() + offset
      const nanos = () => machine.currentTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
      return {
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: machine.monotonicTimeNanos,
        sleep: (duration) => machine.sleep(duration)
      }
    })
  )

const greet = ({ clientId, database, key }: Settings) =>
  Layer.effectDiscard(
    Effect.map(HttpServer.HttpServer, ({ address }) => {
      const url = "port" in address ? `http://127.0.0.1:${address.port}` : ""
      const lines = [
        "Parcela simulator of API Pix",
        `  base URL        ${url}/api/v2`,
        `  token URL       ${url}/oauth/token`,
        `  client id       ${clientId}`,
        `  Pix key         ${key}`,
        `  pay a charge    curl ${url}/simulator/payments -d '{"txid": ".."}'`,
        `  data            ${database}`
      ]
      process.stdout.write(`${lines.join("\n")}\n`)
    })
  )

export const simulator = (settings: Settings) => {
  const { clientId, clientSecret, clock, database, host, key, port } = settings
  const client = {
    clientId,
    clientSecret,
    companyId: CompanyId.make(1),
    key,
    merchantName: "Parcela Sandbox",
    merchantCity: "Sao Paulo"
  }
  return HttpRouter.serve(PixApiServer.layer({ clients: [client], cut }), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.merge(greet(settings)),
    Layer.provide(SimulatorStore.layer),
    Layer.provide([
      NodeSqliteClient.layer({ filename: database, exclusive: true }),
      NodeHttpClient.layerNodeHttp,
      SecureRandom.layerWebCrypto,
      NodeHttpServer.layer(createServer, { host, port })
    ]),
    Layer.provide(clockFrom(clock))
  )
}
