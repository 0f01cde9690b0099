/**
 * All routes of a sandbox: the interface, documents for payers, the administration, the controls and their pages.
 *
 * @since 0.1.0
 */
import { type CompanyId, payeeOf } from "@parcela/core/companies/CompanyState"
import { Companies } from "@parcela/engine/ports/Companies"
import { SecretPolicy } from "@parcela/http/Authentication"
import { DocsCredentials } from "@parcela/http/docs/Docs"
import type { Beneficiary } from "@parcela/http/documents/Texts"
import * as DocumentRoutes from "@parcela/http/documents/DocumentRoutes"
import { Documents } from "@parcela/http/documents/DocumentRoutes"
import * as Routes from "@parcela/http/server/Routes"
import * as Administration from "@parcela/service/Administration"
import { isFromThisMachine } from "@parcela/service/OperatorAccess"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Documentation from "./controls/Documentation.ts"
import * as PayerPage from "./PayerPage.ts"
import * as Activity from "./controls/Activity.ts"
import type { RecentRequests } from "./controls/Activity.ts"
import type { RemotePix } from "./RemotePix.ts"
import { defaults, hasWellKnownSecret, type SandboxOptions, simulatesPayments } from "./SandboxOptions.ts"
import * as Lifecycle from "@parcela/http/operations/Lifecycle"
import * as ContractRoutes from "@parcela/http/ContractRoutes"
import type { OtherAddresses } from "@parcela/http/server/KnownPaths"
import { ControlsAccess } from "@parcela/transport/sandbox/Control"
import { SandboxContract } from "@parcela/transport/sandbox/SandboxContract"
import { endpointsOf } from "@parcela/transport/Endpoints"
import * as HttpRouter from "effect/http/HttpRouter"
import { SandboxCompanies } from "./SandboxCompanies.ts"
import * as PaymentOperations from "./controls/PaymentOperations.ts"
import * as ClockOperations from "./controls/ClockOperations.ts"
import * as CompanyOperations from "./controls/CompanyOperations.ts"
import * as WebhookOperations from "./controls/WebhookOperations.ts"
import * as FixtureOperations from "./controls/FixtureOperations.ts"
import * as ProviderOperations from "./controls/ProviderOperations.ts"
import * as OperatorAccess from "@parcela/service/OperatorAccess"

/**
 * Returns the routes of a sandbox with these options.
 *
 * @category constructors
 * @since 0.1.0
 */
export const served = (options: SandboxOptions, pix: RemotePix, requests: RecentRequests) => {
  const { controlsToken, operatorToken } = options
  const { routes, unrouted } = Routes.served(
    Layer.mergeAll(
      documents(simulatesPayments(options)),
      Administration.layer(operatorToken),
      controls(controlsToken, requests),
      // An invalid account has already failed the layer of its provider.
      Layer.orDie(pix.routes)
    ),
    [Administration.addresses, controlsAddresses]
  )
  const chosen = Layer.mergeAll(
    Layer.succeed(SecretPolicy, wellKnownOnlyFromHere),
    docsCredentials(options),
    Documentation.layerTabs
  )
  return { routes: Layer.provide(routes, chosen), unrouted }
}

/** Returns the payee on documents. The bank's name shows that no money moves. */
const beneficiaryOf = ({ find }: Companies["Service"], companyId: CompanyId): Effect.Effect<Beneficiary> =>
  find(companyId).pipe(
    Effect.map(Option.getOrThrow),
    // Every transaction has a company; a store failure is a 500 for the reader of a document.
    Effect.orDie,
    Effect.map((company) => {
      const { document, legalName } = payeeOf(company)
      return { name: legalName, document, bankName: "Banco de Mentira" }
    })
  )

const documentRoutes = Layer.unwrap(
  Effect.map(Companies, (companies) => DocumentRoutes.layer((companyId) => beneficiaryOf(companies, companyId)))
)

const documents = (simulated: boolean) => {
  const routes = Layer.provide(documentRoutes, Documents.layer)
  return simulated ? Layer.merge(Layer.provide(routes, PayerPage.layerLinked), PayerPage.layer) : routes
}

/** Refuses the default secret from pages of other origins and from other machines, because the default is published. */
const wellKnownOnlyFromHere: typeof SecretPolicy.Service = (secret, request) =>
  hasWellKnownSecret({ clientSecret: secret }) && !isFromThisMachine(request)
    ? "The default client secret is accepted only from programs on this machine, without a proxy: set PARCELA_CLIENT_SECRET"
    : undefined

/** Returns the credentials that the reference page fills in: only the published defaults, never a chosen secret. */
const docsCredentials = ({ clientId, clientSecret }: SandboxOptions) => {
  const isKnown = clientId === defaults.clientId && hasWellKnownSecret({ clientSecret })
  return Layer.succeed(
    DocsCredentials,
    isKnown ? Option.some({ clientId, clientSecret: Redacted.value(clientSecret) }) : Option.none()
  )
}

const operations = Effect.fnUntraced(function* (requests: RecentRequests) {
  return {
    ...(yield* Activity.requests(requests)),
    ...(yield* Activity.events),
    ...(yield* CompanyOperations.companies),
    ...(yield* CompanyOperations.snapshots),
    ...(yield* FixtureOperations.make),
    ...(yield* ClockOperations.clock),
    ...(yield* ProviderOperations.ledger),
    ...(yield* ProviderOperations.faults),
    ...ProviderOperations.testCardControls,
    ...(yield* PaymentOperations.payments),
    ...(yield* PaymentOperations.chargebacks),
    ...(yield* ClockOperations.dueWork),
    ...(yield* Lifecycle.subscriptions),
    ...(yield* Lifecycle.transactions),
    ...(yield* Lifecycle.charges),
    ...(yield* WebhookOperations.endpoints),
    ...(yield* WebhookOperations.secrets),
    ...(yield* WebhookOperations.deliveries)
  }
})

const routes = (token: Redacted.Redacted | undefined, requests: RecentRequests) =>
  HttpRouter.use(() =>
    Effect.gen(function* () {
      yield* ContractRoutes.add(SandboxContract, yield* operations(requests), {
        guards: [[ControlsAccess, yield* controlsAccess(token)]],
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
const controlsAddresses: OtherAddresses = {
  base: "/sandbox",
  page: Documentation.href,
  endpoints: () => endpointsOf(SandboxContract),
  readOnly: ["/sandbox/openapi.json", Documentation.href, Documentation.testCardsHref]
}

/**
 * The routes under `/sandbox`, for programs on this machine or, if `token` is set, for clients that send the token.
 *
 * @category layers
 * @since 0.1.0
 */
const controls = (token: Redacted.Redacted | undefined, requests: RecentRequests) =>
  routes(token, requests).pipe(
    Layer.provide(SandboxCompanies.layer),
    Layer.merge(Documentation.layer(token !== undefined))
  )

/**
 * Without a token only programs on this machine are allowed. With a token every request needs the token, from any
 * address.
 *
 * @category guards
 * @since 0.1.0
 */
const controlsAccess = (token: Redacted.Redacted | undefined) =>
  OperatorAccess.make({
    name: "controls",
    token,
    onlyFromHere:
      "The sandbox's controls are for programs on this machine that call it directly, not through a proxy: for others set PARCELA_CONTROLS_TOKEN",
    missing: "Send Authorization: Bearer with the controls token of this sandbox (PARCELA_CONTROLS_TOKEN)",
    wrong: "The controls token is not that of this sandbox (PARCELA_CONTROLS_TOKEN)"
  })
