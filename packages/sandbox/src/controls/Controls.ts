/**
 * The sandbox's controls: `SandboxContract` over the engine, the simulated providers and the sandbox's companies.
 *
 * @since 0.1.0
 */
import * as FaultsLayer from "@parcela/http/FaultsLayer"
import { SandboxContract } from "@parcela/transport/sandbox/SandboxContract"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import * as Access from "./Access.ts"
import * as ClockHandlers from "./ClockHandlers.ts"
import * as CompanyHandlers from "./CompanyHandlers.ts"
import * as DeliveryHandlers from "./DeliveryHandlers.ts"
import * as Documentation from "./Documentation.ts"
import * as DueWorkHandlers from "./DueWorkHandlers.ts"
import * as EndpointHandlers from "./EndpointHandlers.ts"
import * as OtherMethods from "./OtherMethods.ts"
import * as ProviderHandlers from "./ProviderHandlers.ts"

const groups = Layer.mergeAll(
  CompanyHandlers.layer,
  ClockHandlers.layer,
  ProviderHandlers.layerLedger,
  ProviderHandlers.layerFaults,
  DueWorkHandlers.layer,
  EndpointHandlers.layerEndpoints,
  EndpointHandlers.layerSecrets,
  DeliveryHandlers.layer
)

/**
 * The routes under `/sandbox`, for programs on this machine or, where `token` is given, for whoever sends it.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (token: Redacted.Redacted | undefined) =>
  HttpApiBuilder.layer(SandboxContract).pipe(
    Layer.provide(groups),
    Layer.provide([FaultsLayer.layer, Access.layer(token)]),
    Layer.provide(SandboxCompanies.layer),
    Layer.merge(OtherMethods.layer),
    Layer.merge(Documentation.layer(token !== undefined))
  )
