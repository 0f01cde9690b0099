/**
 * A billing service as one layer: HTTP interface, engine, rows in a SQLite file or a PostgreSQL database, and workers.
 * The composing program chooses the payment providers.
 *
 * @since 0.1.0
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { svcPay } from "@parcela/core/json/NamingProfile"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import * as Engine from "@parcela/engine/Engine"
import type { StorePorts } from "@parcela/engine/command/StorePorts"
import type { BoletoBank } from "@parcela/engine/ports/BoletoBank"
import type { CardOperator } from "@parcela/engine/ports/CardOperator"
import type { PixProvider } from "@parcela/engine/ports/PixProvider"
import { Settings } from "@parcela/engine/Settings"
import { AllowedOrigins } from "@parcela/http/server/Server"
import { DocumentsWithLetters, StrictRequests } from "@parcela/http/SchemaVariants"
import type { DatabaseIsNewer } from "@parcela/sqlite/DatabaseMigrator"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import { mayDeliverTo } from "@parcela/webhooks/node/GuardedAgent"
import * as NodeWebhookSender from "@parcela/webhooks/node/NodeWebhookSender"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as ActivityLog from "./ActivityLog.ts"
import { keyFileOf, locationOf, PublicUrl, languageOf, type ServiceOptions } from "./ServiceOptions.ts"
import * as ListeningServer from "./ListeningServer.ts"
import * as MasterKeyFile from "./MasterKeyFile.ts"
import * as NodeMac from "./NodeMac.ts"
import { machineNow } from "@parcela/engine/ports/WriteContext"
import { DeliveryWorker } from "@parcela/engine/webhooks/DeliveryWorker"
import { workKinds } from "@parcela/engine/ports/DueWork"
import { Leases } from "@parcela/engine/ports/Leases"
import type { StoreError } from "@parcela/engine/ports/StoreError"
import { Recovery } from "@parcela/engine/work/Recovery"
import { DueWorker } from "@parcela/engine/work/DueWorker"
import { LeaseOwner } from "@parcela/engine/command/LeaseOwner"

/**
 * Maximum size in bytes of a database that is checked when it is opened. The check takes about a quarter of a second.
 */
export const checkUpTo = 256 * 2 ** 20

/**
 * Returns the URL of a listening server.
 *
 * @category conversions
 * @since 0.1.0
 */
export const listeningUrl = ({ host, port }: ServiceOptions): Effect.Effect<string, never, HttpServer.HttpServer> =>
  Effect.map(HttpServer.HttpServer, ({ address }) => {
    const name = host.includes(":") ? `[${host}]` : host
    return `http://${name}:${"port" in address ? address.port : port}`
  })

const settings = (options: ServiceOptions) =>
  Layer.effect(
    Settings,
    Effect.gen(function* () {
      const base = yield* Settings
      // An invalid URL would be stored with payments and then violate the interface.
      const publicUrl =
        options.publicUrl === undefined ? undefined : yield* Schema.decodeEffect(PublicUrl)(options.publicUrl)
      return {
        ...base,
        publicUrl: publicUrl ?? (yield* listeningUrl(options)),
        naming: options.naming ?? base.naming,
        language: languageOf(options) ?? base.language,
        mayDeliverTo: mayDeliverTo(options.destinations),
        retention: { ...base.retention, ...options.retention }
      }
    })
  )

const crypto = Layer.mergeAll(NodeCrypto.layerDigest, NodeCrypto.layerSecureRandom, NodeMac.layer)

const store = ({
  database,
  databaseTimeout
}: ServiceOptions): Layer.Layer<StorePorts | SqlClient, MigrationError | DatabaseIsNewer | SqlError> =>
  Redacted.isRedacted(database)
    ? StoreSql.layerPostgres({ url: database, timeout: databaseTimeout })
    : StoreSql.layerSqlite({ filename: database, exclusive: true, checkUpTo })

/**
 * The ports that do not depend on the providers. The store creates the database folder before the key file is written
 * there.
 */
const ports = (options: ServiceOptions) =>
  Layer.mergeAll(
    Secrets.layer.pipe(Layer.provide(MasterKeyFile.layer(options.keyFile ?? keyFileOf(options.database)))),
    NodeWebhookSender.layer({ destinations: options.destinations })
  ).pipe(Layer.provideMerge(store(options)))

/** Settings of how requests are decoded, and of cross-origin requests. */
const requests = ({
  allowedOrigins = [],
  naming = svcPay,
  // The interface allows digits only; services of other naming profiles run where CNPJs with letters are issued.
  documentsWithLetters = naming.name !== svcPay.name,
  strictRequests = false
}: ServiceOptions) =>
  Layer.mergeAll(
    Layer.succeed(StrictRequests, strictRequests),
    Layer.succeed(AllowedOrigins, allowedOrigins),
    Layer.succeed(DocumentsWithLetters, documentsWithLetters)
  )

/**
 * The workers. Recovery of the last run is finished when the layer is built, before requests are accepted. Then jobs and
 * deliveries run while the process lives, with one worker for each kind of job.
 */
const workers: Layer.Layer<never, StoreError, DeliveryWorker | DueWorker | LeaseOwner | Leases | Recovery> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* DeliveryWorker
      const leases = yield* Leases
      const owner = yield* LeaseOwner
      const recovery = yield* Recovery
      const worker = yield* DueWorker
      const recovered = yield* recovery.recover
      if (recovered > 0) {
        const attempts = recovered === 1 ? "1 attempt" : `${recovered} attempts`
        yield* Effect.logInfo(`Resolved ${attempts} that the last run left under way`)
      }

      // Finalizers run last to first, so the workers have ended: other processes can take the released leases at once.
      yield* Effect.addFinalizer(() =>
        machineNow.pipe(
          Effect.flatMap((now) => leases.releaseOwned(owner, now)),
          // Leases that are not released expire.
          Effect.catch(({ message }) =>
            Effect.logWarning(`The leases of this process could not be released and end with their time: ${message}`)
          )
        )
      )
      for (const kind of workKinds) {
        yield* Effect.forkScoped(worker.run(kind))
      }
      yield* Effect.forkScoped(deliveries.run)
    })
  )

/**
 * The parts that a composition adds to a service.
 *
 * @category models
 * @since 0.1.0
 */
export interface Composition<Routes, RoutesError, RoutesNeeds, Ready, ReadyError, ReadyNeeds, Providers, E, R> {
  /** The layer that serves the routes: `Server.serve` of `@parcela/http`, with the composition's additional routes. */
  readonly served: Layer.Layer<Routes, RoutesError, RoutesNeeds>
  /** Built over the engine and its store before the first request is accepted. */
  readonly ready: Layer.Layer<Ready, ReadyError, ReadyNeeds>
  readonly providers: Layer.Layer<Providers | BoletoBank | CardOperator | PixProvider, E, R>
}

/**
 * The service's layer. Building it binds the port, opens the database and recovers work of the last run. Closing it
 * waits for running requests.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <Routes, RoutesError, RoutesNeeds, Ready, ReadyError, ReadyNeeds, Providers, E, R>(
  given: ServiceOptions,
  parts: Composition<Routes, RoutesError, RoutesNeeds, Ready, ReadyError, ReadyNeeds, Providers, E, R>
) => {
  const options = { ...given, database: locationOf(given.database) }
  // Recovery and `ready` finish before the first request is accepted.
  const prepared = Layer.mergeAll(workers, ListeningServer.layerCounts, parts.ready).pipe(
    Layer.provideMerge(Engine.layerNoDeps),
    Layer.provideMerge(parts.providers),
    Layer.provideMerge(ports(options)),
    Layer.provideMerge(settings(options))
  )
  return parts.served.pipe(
    Layer.provide(requests(options)),
    Layer.provideMerge(prepared),
    Layer.provideMerge(ListeningServer.layer(options)),
    Layer.provideMerge(Layer.mergeAll(crypto, NodeFileSystem.layer, NodePath.layer)),
    Layer.provideMerge(ListeningServer.layerStopping(options)),
    Layer.provideMerge(options.log === undefined ? Layer.empty : Logger.layer([ActivityLog.logger(options.log)]))
  )
}
