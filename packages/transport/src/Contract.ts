/**
 * The HTTP interface as one value: paths, schemas, scopes, failures and documentation. The server implements this
 * contract; the client and the OpenAPI document are derived from it. Each area has a file in `contract/`.
 *
 * @since 0.1.0
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { CardBrandsGroup, PaymentMethodsGroup } from "./contract/PaymentMethods.ts"
import { ChargesGroup } from "./contract/Charges.ts"
import { CardsGroup } from "./contract/Cards.ts"
import { CustomersGroup } from "./contract/Customers.ts"
import { PlansGroup } from "./contract/Plans.ts"
import { SubscriptionsGroup } from "./contract/Subscriptions.ts"
import { TokenGroup } from "./contract/Token.ts"
import { TransactionsGroup } from "./contract/Transactions.ts"
import { WebhooksGroup, webhookRequests } from "./contract/Webhooks.ts"
import { FaultsAsErrorNode } from "./Security.ts"
import * as Context from "effect/Context"
import { Examples, type OperationExamples } from "./contract/Operation.ts"
import { endpointsOf } from "./Endpoints.ts"

/**
 * The operations under a base URL that includes the version segment. Clients are derived from this value.
 *
 * @category apis
 * @since 0.1.0
 */
export const Operations = HttpApi.make("parcela")
  .add(
    TokenGroup,
    SubscriptionsGroup,
    TransactionsGroup,
    CustomersGroup,
    PlansGroup,
    ChargesGroup,
    CardBrandsGroup,
    CardsGroup,
    PaymentMethodsGroup,
    WebhooksGroup
  )
  .middleware(FaultsAsErrorNode)
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.HeadersParseOptions, { errors: "all" })
  .annotate(HttpApi.AdditionalSchemas, Object.values(webhookRequests))
  .annotateMerge(
    OpenApi.annotations({
      title: "Parcela",
      version: "2",
      summary: "Recurring billing for Brazil: cards, boleto and Pix.",
      description:
        "Money is in cents. A time without a zone is Brazil time (America/Sao_Paulo). Every failing response has " +
        "an error node; error.details lists every problem under Entity.field.",
      license: { name: "MIT", identifier: "MIT" }
    })
  )

/**
 * The operations under `/v2` (interface section 9), for servers.
 *
 * @category apis
 * @since 0.1.0
 */
export const Contract = Operations.prefix("/v2")

/**
 * The examples of each operation, by the operation's name in the OpenAPI document.
 *
 * @category examples
 * @since 0.1.0
 */
export const operationExamples: ReadonlyMap<string, OperationExamples> = new Map(
  endpointsOf(Operations).flatMap(({ endpoint: { annotations } }) => {
    const examples = Context.getOrUndefined(annotations, Examples)
    const id = Context.getOrUndefined(annotations, OpenApi.Identifier)
    return examples === undefined || id === undefined ? [] : [[id, examples] as const]
  })
)
