/**
 * A whole billing server as one layer: HTTP interface, engine, rows in one SQLite file or PostgreSQL database,
 * simulated payment providers, and workers. Building the layer binds the port; closing it waits for running work.
 *
 * @since 0.1.0
 */
import { type CompanyId, payeeOf, pixMerchantOf } from "@parcela/core/companies/CompanyState"
import { Companies } from "@parcela/engine/ports/Companies"
import { PixMerchants } from "@parcela/provider-simulator/SimulatedPixProvider"
import * as ProviderSimulator from "@parcela/provider-simulator/ProviderSimulator"
import * as StoredFailures from "@parcela/provider-simulator/StoredFailures"
import * as SimulatorStore from "@parcela/provider-simulator/SimulatorStore"
import * as Server from "@parcela/http/server/Server"
import * as SiblingDatabase from "@parcela/store-sql/SiblingDatabase"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type DatabaseLocation, locationOf, shown } from "@parcela/service/ServiceOptions"
import * as Service from "@parcela/service/Service"
import { checkUpTo, listeningUrl } from "@parcela/service/Service"
import * as OperatorAccess from "@parcela/service/OperatorAccess"
import { CompanyStates } from "./CompanyStates.ts"
import * as Activity from "./controls/Activity.ts"
import * as PairedStores from "./PairedStores.ts"
import * as RemotePix from "./RemotePix.ts"
import { served } from "./SandboxRoutes.ts"
import { SandboxCompanies } from "./SandboxCompanies.ts"
import { defaults, destinationsOf, type SandboxOptions } from "./SandboxOptions.ts"
import { DueWork } from "@parcela/engine/ports/DueWork"
import { DisputeNotices } from "@parcela/provider-simulator/SimulatedChargebacks"

/**
 * A running sandbox.
 *
 * @category services
 * @since 0.1.0
 */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    /** The server's URL, `http://host:port`. */
    readonly url: string
    /** The number of the default company. */
    readonly companyId: number
    readonly clientId: string
    readonly clientSecret: Redacted.Redacted
    readonly webhookSecret: Redacted.Redacted
    readonly confirmHash: Redacted.Redacted
  }
>()("@parcela/sandbox/Sandbox") {}

/** Creates the default company. */
const ready = (options: SandboxOptions) =>
  Layer.effect(
    Sandbox,
    Effect.gen(function* () {
      const companies = yield* SandboxCompanies
      const { clientId, clientSecret } = options
      const url = yield* listeningUrl(options)
      const keys = yield* companies.ensure({ name: "Parcela Sandbox", clientId, clientSecret })
      return Sandbox.of({ url, clientSecret, ...keys })
    })
  ).pipe(Layer.provide(SandboxCompanies.layer))

/** Names the payee in Pix codes. */
const merchants = Layer.effect(
  PixMerchants,
  Effect.map(
    Companies,
    ({ find }) =>
      (companyId: CompanyId) =>
        Effect.map(find(companyId), (found) =>
          Option.getOrUndefined(Option.map(found, (company) => pixMerchantOf(payeeOf(company))))
        )
  )
)

/** The providers' own store: opened like the service's database, then compared with it. It keeps its own SQL client. */
const simulatorStore = ({ database, databaseTimeout, simulators }: SandboxOptions) =>
  Layer.effect(
    SimulatorStore.SimulatorStore,
    Effect.tap(SimulatorStore.SimulatorStore, (store) =>
      PairedStores.pair(store, locationsOf(database), simulators === "reset")
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

/** The name of the providers' database next to the service's. */
const sibling = "simulators"

const locationsOf = (database: DatabaseLocation): PairedStores.StoreLocations => ({
  database: shown(database),
  simulators: Redacted.isRedacted(database)
    ? `its schema that ends with _${sibling}`
    : SiblingDatabase.siblingFileOf(database, sibling)
})

const providers = (options: SandboxOptions) =>
  Layer.merge(ProviderSimulator.layer(), CompanyStates.layer).pipe(
    Layer.provide([layerExpectedDisputes, merchants]),
    Layer.provideMerge(StoredFailures.layer),
    Layer.provide(simulatorStore(options))
  )

const serving = (options: SandboxOptions, pix: RemotePix.RemotePix, requests: Activity.RecentRequests) =>
  Layer.unwrap(
    Effect.as(
      Effect.forEach([options.controlsToken, options.operatorToken], OperatorAccess.check),
      Server.serve(served(options, pix, requests))
    )
  )

/**
 * A sandbox. Omitted options have defaults.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (chosen: Partial<SandboxOptions> = {}) => {
  const requests = Activity.makeRecentRequests()
  const options = {
    ...defaults,
    ...chosen,
    database: locationOf(chosen.database ?? defaults.database),
    destinations: destinationsOf(chosen),
    onRequest: requests.add
  }
  const pix = RemotePix.of(options)
  return Service.layer(options, {
    served: serving(options, pix, requests),
    ready: Layer.mergeAll(ready(options), pix.ready),
    // When two layers provide a port, the last one is used.
    providers: Layer.mergeAll(providers(options), pix.provider)
  })
}

/**
 * @category layers
 * @since 0.1.0
 */
const layerExpectedDisputes: Layer.Layer<never, never, DueWork> = Layer.effect(
  DisputeNotices,
  Effect.map(DueWork, (dueWork) => ({
    expect: ({ companyId, tid }, dueAt) =>
      dueWork.ensure({ kind: "fetch chargeback", subject: tid, companyId, clock: "business", dueAt })
  }))
)
