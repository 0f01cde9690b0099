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
import * as Controls from "./controls/Controls.ts"
import * as Documentation from "./controls/Documentation.ts"
import * as PayerPage from "./PayerPage.ts"
import type { RecentRequests } from "./RecentRequests.ts"
import type { RemotePix } from "./RemotePix.ts"
import { defaults, hasWellKnownSecret, type SandboxOptions, simulatesPayments } from "./SandboxOptions.ts"

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
      Controls.layer(controlsToken, requests),
      // An invalid account has already failed the layer of its provider.
      Layer.orDie(pix.routes)
    ),
    [Administration.addresses, Controls.addresses]
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
    ? "The well-known secret is taken only from programs on this machine that call it directly: set PARCELA_CLIENT_SECRET"
    : undefined

/** Returns the credentials that the reference page fills in: only the published defaults, never a chosen secret. */
const docsCredentials = ({ clientId, clientSecret }: SandboxOptions) => {
  const isKnown = clientId === defaults.clientId && hasWellKnownSecret({ clientSecret })
  return Layer.succeed(
    DocsCredentials,
    isKnown ? Option.some({ clientId, clientSecret: Redacted.value(clientSecret) }) : Option.none()
  )
}
