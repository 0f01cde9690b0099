/**
 * The sandbox's controls: `SandboxContract` over the engine, the simulated providers and the sandbox's companies.
 *
 * @since 0.1.0
 */
import * as Lifecycle from "@parcela/http/operations/Lifecycle"
import * as ContractRoutes from "@parcela/http/ContractRoutes"
import type { OtherAddresses } from "@parcela/http/server/KnownPaths"
import { ControlsAccess } from "@parcela/transport/sandbox/Control"
import { SandboxContract } from "@parcela/transport/sandbox/SandboxContract"
import { endpointsOf } from "@parcela/transport/Endpoints"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { SandboxCompanies } from "../SandboxCompanies.ts"
import type { RecentRequests } from "../RecentRequests.ts"
import * as Access from "./Access.ts"
import * as ActivityOperations from "./ActivityOperations.ts"
import * as ChargebackOperations from "./ChargebackOperations.ts"
import * as ClockOperations from "./ClockOperations.ts"
import * as CompanyOperations from "./CompanyOperations.ts"
import * as DeliveryOperations from "./DeliveryOperations.ts"
import * as Documentation from "./Documentation.ts"
import * as DueWorkOperations from "./DueWorkOperations.ts"
import * as EndpointOperations from "./EndpointOperations.ts"
import * as FixtureOperations from "./FixtureOperations.ts"
import * as PaymentOperations from "./PaymentOperations.ts"
import * as ProviderOperations from "./ProviderOperations.ts"
import * as SnapshotOperations from "./SnapshotOperations.ts"
import * as TestCardOperations from "./TestCardOperations.ts"
import * as TestCardPage from "./TestCardPage.ts"

const operations = Effect.fnUntraced(function* (requests: RecentRequests) {
  return {
    ...(yield* ActivityOperations.requests(requests)),
    ...(yield* ActivityOperations.events),
    ...(yield* CompanyOperations.make),
    ...(yield* SnapshotOperations.make),
    ...(yield* FixtureOperations.make),
    ...(yield* ClockOperations.make),
    ...(yield* ProviderOperations.ledger),
    ...(yield* ProviderOperations.faults),
    ...TestCardOperations.operations,
    ...(yield* PaymentOperations.make),
    ...(yield* ChargebackOperations.make),
    ...(yield* DueWorkOperations.make),
    ...(yield* Lifecycle.subscriptions),
    ...(yield* Lifecycle.transactions),
    ...(yield* Lifecycle.charges),
    ...(yield* EndpointOperations.endpoints),
    ...(yield* EndpointOperations.secrets),
    ...(yield* DeliveryOperations.make)
  }
})

const routes = (token: Redacted.Redacted | undefined, requests: RecentRequests) =>
  HttpRouter.use(() =>
    Effect.gen(function* () {
      yield* ContractRoutes.add(SandboxContract, yield* operations(requests), {
        guards: [[ControlsAccess, yield* Access.make(token)]],
        // A test suite should learn about a misspelled key.
        isTolerant: false,
        // Most writes have only optional fields.
        isBodyOptional: true,
        isEncoded: true
      })
    })
  )

/**
 * The paths of the controls and of their pages.
 *
 * @category constants
 * @since 0.1.0
 */
export const addresses: OtherAddresses = {
  base: "/sandbox",
  page: Documentation.href,
  endpoints: () => endpointsOf(SandboxContract),
  readOnly: ["/sandbox/openapi.json", Documentation.href, TestCardPage.href]
}

/**
 * The routes under `/sandbox`, for programs on this machine or, if `token` is set, for clients that send the token.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (token: Redacted.Redacted | undefined, requests: RecentRequests) =>
  routes(token, requests).pipe(
    Layer.provide(SandboxCompanies.layer),
    Layer.merge(Documentation.layer(token !== undefined))
  )
