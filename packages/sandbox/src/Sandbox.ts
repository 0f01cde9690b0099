/**
 * A whole billing server as one layer: the interface over HTTP, the engine, its rows in one SQLite file or PostgreSQL
 * database, simulated payment providers, and workers. Building it takes the port; closing it finishes what is running.
 *
 * @since 0.1.0
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import * as Engine from "@parcela/engine/Engine"
import { Secrets } from "@parcela/engine/authentication/Secrets"
import { Settings } from "@parcela/engine/Settings"
import * as FirstVersion from "@parcela/provider-simulator/FirstVersion"
import * as ProviderSimulator from "@parcela/provider-simulator/ProviderSimulator"
import * as SimulatorFaults from "@parcela/provider-simulator/SimulatorFaults"
import * as SimulatorStore from "@parcela/provider-simulator/SimulatorStore"
import { SecretPolicy } from "@parcela/http/Authentication"
import { clientAddress, TrustedProxies } from "@parcela/http/ClientAddress"
import type { Beneficiary } from "@parcela/http/documents/Beneficiary"
import * as DocumentRoutes from "@parcela/http/documents/DocumentRoutes"
import { Documents } from "@parcela/http/documents/Documents"
import { DocsCredentials } from "@parcela/http/Docs"
import * as RequestNotes from "@parcela/http/RequestNotes"
import * as Server from "@parcela/http/Server"
import * as SiblingDatabase from "@parcela/store-sql/SiblingDatabase"
import * as StoreSql from "@parcela/store-sql/StoreSql"
import * as GuardedAgents from "@parcela/webhooks/node/GuardedAgents"
import * as WebhookSender from "@parcela/webhooks/WebhookSender"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { IncomingMessage } from "node:http"
import { keyFileOf, locationOf } from "@parcela/service/DatabaseLocation"
import * as ActivityLog from "@parcela/service/ActivityLog"
import * as Controls from "./Controls.ts"
import { isFromThisMachine } from "@parcela/service/LocalOnly"
import { makeNodeServer } from "@parcela/service/NodeServer"
import * as MasterKeyFile from "@parcela/service/MasterKeyFile"
import * as ProviderControls from "./ProviderControls.ts"
import { PublicUrl } from "@parcela/service/PublicUrl"
import { SandboxCompanies } from "./SandboxCompanies.ts"
import { defaults, type SandboxOptions } from "./SandboxOptions.ts"
import * as StuckWork from "./StuckWork.ts"
import { TrustedProxies as TrustedProxyList } from "@parcela/service/TrustedProxies"
import * as WebhookControls from "./WebhookControls.ts"
import * as Workers from "./Workers.ts"

/**
 * A sandbox that runs.
 *
 * @category services
 * @since 0.1.0
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    /** Where it listens, `http://host:port`. */
    readonly url: string
    readonly clientId: string
    readonly clientSecret: Redacted.Redacted
    readonly webhookSecret: Redacted.Redacted
    readonly confirmHash: Redacted.Redacted
  }
>()("@parcela/sandbox/Sandbox") {}

const httpUrl = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`

/** Who the payers of a sandbox pay: made up, and said so on the slip. */
const beneficiary: Beneficiary = {
  name: "Parcela Sandbox (de mentira)",
  document: DocumentAlphanumeric.make("11222333000181"),
  bankName: "Banco de Mentira"
}

const documents = DocumentRoutes.layer(() => beneficiary).pipe(Layer.provide(Documents.layer))

/** Bytes of a database whose pages are checked when it is opened: about a quarter of a second. */
const checkUpTo = 256 * 2 ** 20

const listening = ({ host, port }: SandboxOptions) =>
  // Requests that are running get this long to finish when the sandbox is told to stop.
  ({ host, port, gracefulShutdownTimeout: "10 seconds" }) as const

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
const trustedProxies = ({ trustedProxies = [] }: SandboxOptions) =>
  trustedProxies.length === 0
    ? Layer.empty
    : Layer.effect(TrustedProxies, Schema.decodeEffect(TrustedProxyList)(trustedProxies.join(",")))

const nodeServer = (options: SandboxOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const trusted = yield* TrustedProxies
      const clock = yield* Clock.Clock
      const random = yield* SecureRandom.SecureRandom
      const { log } = options
      const server = {
        now: () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6,
        // Ids of two runs, or of two servers, are different ones in one log.
        requestIdPrefix: `${Hex.encode(yield* random.randomBytes(3))}-`,
        ...(log === undefined ? {} : { onRequest: noteRequest(trusted), onResponse: ActivityLog.requests(log, clock) })
      }
      return NodeHttpServer.layer(() => makeNodeServer(server), listening(options))
    })
  )

const settings = (options: SandboxOptions) =>
  Layer.effect(
    Settings,
    Effect.gen(function* () {
      const { address } = yield* HttpServer.HttpServer
      const port = "port" in address ? address.port : options.port
      const base = yield* Settings
      // Links would be written to the database's payments and then not fit the interface.
      const publicUrl =
        options.publicUrl === undefined ? undefined : yield* Schema.decodeEffect(PublicUrl)(options.publicUrl)
      return {
        ...base,
        publicUrl: publicUrl ?? httpUrl(options.host, port),
        naming: options.naming ?? base.naming,
        retention: { ...base.retention, ...options.retention }
      }
    })
  )

/** The client that deliveries go out by: what it may reach is decided at the socket. */
const deliveryClient = ({ destinations = { allowPrivate: true } }: SandboxOptions) =>
  NodeHttpClient.layerNodeHttpNoAgent.pipe(
    Layer.provide(
      Layer.effect(
        NodeHttpClient.HttpAgent,
        Effect.map(GuardedAgents.make(destinations), (agents) => NodeHttpClient.HttpAgent.of(agents))
      )
    )
  )

const ready = (options: SandboxOptions) =>
  Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const companies = yield* SandboxCompanies
      const { address } = yield* HttpServer.HttpServer
      const { clientId, clientSecret } = options
      const url = httpUrl(options.host, "port" in address ? address.port : options.port)
      const keys = yield* companies.ensure({ name: "Sandbox", clientId, clientSecret })
      return Sandbox.of({ url, clientSecret, ...keys })
    })
  ).pipe(Layer.provide(SandboxCompanies.layer))

/** A page of another origin, or a machine next to this one, knows the default secret as well as anybody. */
const wellKnownOnlyFromHere: typeof SecretPolicy.Service = (secret, request) =>
  Redacted.value(secret) === Redacted.value(defaults.clientSecret) && !isFromThisMachine(request)
    ? "The well-known secret is taken only from programs on this machine that call it directly: set PARCELA_CLIENT_SECRET"
    : undefined

/** The reference page fills in the credentials that the README names; never a secret that somebody has chosen. */
const docsCredentials = ({ clientId, clientSecret }: SandboxOptions) => {
  const secret = Redacted.value(clientSecret)
  const isKnown = clientId === defaults.clientId && secret === Redacted.value(defaults.clientSecret)
  return Layer.succeed(DocsCredentials, isKnown ? Option.some({ clientId, clientSecret: secret }) : Option.none())
}

const store = ({ database, databaseTimeout }: SandboxOptions) =>
  Redacted.isRedacted(database)
    ? StoreSql.layerPostgres({ url: database, timeout: databaseTimeout })
    : StoreSql.layerSqlite({ filename: database, exclusive: true, checkUpTo })

/** The providers' own store, opened as the service's database is. Its client stays its own. */
const simulatorStore = ({ database, databaseTimeout }: SandboxOptions) =>
  Layer.provide(
    SimulatorStore.SimulatorStore.layer,
    Redacted.isRedacted(database)
      ? SiblingDatabase.layerPostgres({ url: database, maxConnections: 5, timeout: databaseTimeout }, "simulators")
      : SiblingDatabase.layerSqlite(
          { filename: database, exclusive: true, checkUpTo, ownTable: SimulatorStore.table },
          "simulators"
        )
  )

/** What the first version left in the service's database is moved before a provider is asked for anything. */
const providers = (options: SandboxOptions) =>
  ProviderSimulator.layer().pipe(
    Layer.provide(FirstVersion.layer),
    Layer.provide(simulatorStore(options)),
    Layer.provideMerge(SimulatorFaults.layerPlan)
  )

/**
 * A sandbox; options that are left out keep their defaults.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (chosen: Partial<SandboxOptions> = {}) => {
  const options = { ...defaults, ...chosen, database: locationOf(chosen.database ?? defaults.database) }
  // The database makes its folder, so the key beside it comes after.
  const outside = Layer.mergeAll(
    Secrets.layer.pipe(Layer.provide(MasterKeyFile.layer(options.keyFile ?? keyFileOf(options.database)))),
    WebhookSender.layer().pipe(Layer.provide(deliveryClient(options)))
  ).pipe(Layer.provideMerge(store(options)))
  // Recovery and the ready company come before the first request is taken.
  const prepared = Layer.mergeAll(Workers.layer, ready(options)).pipe(
    Layer.provideMerge(Engine.layerNoDeps),
    Layer.provideMerge(providers(options)),
    Layer.provideMerge(outside),
    Layer.provideMerge(settings(options))
  )
  return Server.serve(
    Layer.mergeAll(
      Server.routes,
      documents,
      Controls.layer,
      ProviderControls.layer,
      StuckWork.layer,
      WebhookControls.layer
    )
  ).pipe(
    Layer.provide(Layer.succeed(SecretPolicy, wellKnownOnlyFromHere)),
    Layer.provide(docsCredentials(options)),
    Layer.provideMerge(prepared),
    Layer.provideMerge(nodeServer(options)),
    Layer.provideMerge(trustedProxies(options)),
    Layer.provideMerge(NodeCrypto.layer),
    Layer.provideMerge(options.log === undefined ? Layer.empty : Logger.layer([ActivityLog.logger(options.log)]))
  )
}
