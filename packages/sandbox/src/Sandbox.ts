/**
 * A whole billing server as one layer: the interface over HTTP, the engine, its rows in one SQLite file or PostgreSQL
 * database, simulated payment providers, and workers. Building it takes the port; closing it finishes what is running.
 *
 * @since 0.1.0
 */
import { DocumentAlphanumeric } from "@parcela/core/customers/Document"
import * as FirstVersion from "@parcela/provider-simulator/FirstVersion"
import * as ProviderSimulator from "@parcela/provider-simulator/ProviderSimulator"
import * as StoredFaults from "@parcela/provider-simulator/StoredFaults"
import * as SimulatorStore from "@parcela/provider-simulator/SimulatorStore"
import { SecretPolicy } from "@parcela/http/Authentication"
import type { Beneficiary } from "@parcela/http/documents/Beneficiary"
import * as DocumentRoutes from "@parcela/http/documents/DocumentRoutes"
import { Documents } from "@parcela/http/documents/Documents"
import { DocsCredentials } from "@parcela/http/Docs"
import { OtherContracts } from "@parcela/http/KnownPaths"
import * as Server from "@parcela/http/Server"
import * as SiblingDatabase from "@parcela/store-sql/SiblingDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type DatabaseLocation, locationOf, shown } from "@parcela/service/DatabaseLocation"
import * as Administration from "@parcela/service/administration/Administration"
import * as Service from "@parcela/service/Service"
import * as TokenAccess from "@parcela/service/TokenAccess"
import { checkUpTo, listeningUrl } from "@parcela/service/Service"
import { CompanyStates } from "./CompanyStates.ts"
import * as Controls from "./controls/Controls.ts"
import * as Documentation from "./controls/Documentation.ts"
import * as ExpectedDisputes from "./ExpectedDisputes.ts"
import * as RecentRequests from "./RecentRequests.ts"
import { isFromThisMachine } from "@parcela/service/LocalOnly"
import * as PairedStores from "./PairedStores.ts"
import * as RemotePix from "./RemotePix.ts"
import * as PayerPage from "./PayerPage.ts"
import { SandboxCompanies } from "./SandboxCompanies.ts"
import { defaults, type SandboxOptions } from "./SandboxOptions.ts"

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
    /** Of the company that is ready from the start. */
    readonly companyId: number
    readonly clientId: string
    readonly clientSecret: Redacted.Redacted
    readonly webhookSecret: Redacted.Redacted
    readonly confirmHash: Redacted.Redacted
  }
>()("@parcela/sandbox/Sandbox") {}

/** Who the payers of a sandbox pay: made up, and said so on the slip. */
const beneficiary: Beneficiary = {
  name: "Parcela Sandbox (de mentira)",
  document: DocumentAlphanumeric.make("11222333000181"),
  bankName: "Banco de Mentira"
}

const documents = DocumentRoutes.layer(() => beneficiary).pipe(
  Layer.provide([Documents.layer, PayerPage.layerLinked]),
  Layer.merge(PayerPage.layer)
)

/** The company that is ready from the start. */
const ready = (options: SandboxOptions) =>
  Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const companies = yield* SandboxCompanies
      const { clientId, clientSecret } = options
      const url = yield* listeningUrl(options)
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

/** The providers' own store, opened as the service's database is and compared with it. Its client stays its own. */
const simulatorStore = ({ database, databaseTimeout, simulators }: SandboxOptions) =>
  Layer.effect(
    SimulatorStore.SimulatorStore,
    Effect.tap(SimulatorStore.SimulatorStore, (store) =>
      PairedStores.pair(store, placesOf(database), simulators === "anew")
    )
  ).pipe(
    Layer.provide(
      Layer.provide(
        SimulatorStore.SimulatorStore.layer,
        Redacted.isRedacted(database)
          ? SiblingDatabase.layerPostgres({ url: database, maxConnections: 5, timeout: databaseTimeout }, sibling)
          : SiblingDatabase.layerSqlite(
              { filename: database, exclusive: true, checkUpTo, ownTable: SimulatorStore.table },
              sibling
            )
      )
    )
  )

/** What the providers' database is called beside the service's. */
const sibling = "simulators"

const placesOf = (database: DatabaseLocation): PairedStores.Places => ({
  database: shown(database),
  simulators: Redacted.isRedacted(database)
    ? `its schema that ends with _${sibling}`
    : SiblingDatabase.siblingFileOf(database, sibling)
})

/** What the first version left in the service's database is moved before a provider is asked for anything. */
const providers = (options: SandboxOptions) =>
  Layer.merge(ProviderSimulator.layer(), CompanyStates.layer).pipe(
    Layer.provide([ExpectedDisputes.layer, FirstVersion.layer]),
    Layer.provideMerge(StoredFaults.layer),
    Layer.provide(simulatorStore(options))
  )

const served = (
  { controlsToken, operatorToken, ...options }: SandboxOptions,
  pix: RemotePix.RemotePix,
  requests: RecentRequests.RecentRequests
) =>
  // Before the server takes requests: the routes are made at the first one.
  Layer.unwrap(
    Effect.as(
      Effect.forEach([controlsToken, operatorToken], TokenAccess.check),
      Server.serve(
        Layer.mergeAll(
          Server.routes,
          documents,
          Administration.layer(operatorToken),
          Controls.layer(controlsToken, requests),
          // An account that is none kept its provider from being made.
          Layer.orDie(pix.routes)
        )
      ).pipe(
        Layer.provide([
          Layer.succeed(SecretPolicy, wellKnownOnlyFromHere),
          Layer.succeed(OtherContracts, [Administration.addresses, Controls.addresses]),
          docsCredentials(options),
          Documentation.layerTabs
        ])
      )
    )
  )

/**
 * A sandbox; options that are left out keep their defaults.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (chosen: Partial<SandboxOptions> = {}) => {
  const requests = RecentRequests.make()
  const options = {
    ...defaults,
    ...chosen,
    database: locationOf(chosen.database ?? defaults.database),
    destinations: chosen.destinations ?? defaults.destinations,
    onRequest: requests.add
  }
  const pix = RemotePix.of(options.pixAccount)
  return Service.layer(options, {
    served: served(options, pix, requests),
    ready: Layer.mergeAll(ready(options), pix.ready),
    // The last one of a port is the one that is used.
    providers: Layer.mergeAll(providers(options), pix.provider)
  })
}
