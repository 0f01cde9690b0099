/**
 * The HTTP interface as one value: paths, schemas, scopes, failures and documentation. The server implements it, the
 * client is derived from it, and the OpenAPI document is read off it.
 *
 * @since 0.1.0
 */
import { AddPayment } from "@parcela/core/transactions/AddPayment"
import { CreateManualSubscription } from "@parcela/core/subscriptions/CreateManualSubscription"
import { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import { nonEmptyString } from "@parcela/core/values/Text"
import * as Schema from "effect/Schema"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Answers from "./Answers.ts"
import { wire } from "./ApiError.ts"
import { SubscriptionPath, TransactionPath } from "./EntityPath.ts"
import { SubscriptionQuery, TransactionQuery } from "./ListQuery.ts"
import { BearerToken, ClientCredentials, FaultsAsErrorNode, IdempotentWrite, RequiredScope } from "./Security.ts"
import { TokenRequest } from "./TokenRequest.ts"
import { webhookRequests } from "./WebhookRequests.ts"

/** What any operation may answer. 401 and 403 come with the security, 400 with `FaultsAsErrorNode`. */
const always = [wire.BadRequest, wire.TooManyRequests, wire.Internal, wire.Unavailable] as const
const withBody = [wire.PayloadTooLarge, wire.UnsupportedMediaType] as const
const withKey = [wire.Conflict, wire.Unprocessable] as const

const idempotency = {
  "idempotency-key": Schema.optionalKey(
    nonEmptyString(255).annotate({
      description:
        "A name for this write, chosen by the client. The same key with the same request gets the same response " +
        "without doing it again; with another request it gets a 422."
    })
  )
}

/**
 * @category groups
 * @since 0.1.0
 */
export class TokenGroup extends HttpApiGroup.make("token", { topLevel: true })
  .add(
    HttpApiEndpoint.post("token", "/token", {
      payload: [TokenRequest, TokenRequest.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: Answers.TokenAnswer,
      error: [...always, ...withBody]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Obtain access token",
        description:
          "Exchanges client id and client secret for a token that lasts expires_in seconds. It carries what was asked " +
          "for and is allowed; nothing in common is a 403. Without scope that is all but balance.write and pos.write. " +
          "The scope of the response is cut to whole words where it would pass 255 characters.",
        identifier: "createToken"
      })
    )
  )
  .middleware(ClientCredentials)
  .annotateMerge(OpenApi.annotations({ title: "Token", description: "Short-lived access tokens." })) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class SubscriptionsGroup extends HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.post("createManual", "/subscriptions/manual", {
      headers: idempotency,
      payload: CreateManualSubscription,
      success: Answers.SubscriptionAnswer,
      error: [...always, ...withBody, ...withKey, wire.NotFound]
    })
      .middleware(IdempotentWrite)
      .annotate(RequiredScope, "subscriptions.write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create manual subscription",
          description:
            "Creates a manual subscription (contract). It generates no transaction: add payments to it. Needs the " +
            "scope subscriptions.write. A 404 means that a customer is named who does not exist.",
          identifier: "createManualSubscription"
        })
      ),
    HttpApiEndpoint.get("list", "/subscriptions", {
      query: SubscriptionQuery,
      success: Answers.SubscriptionsAnswer,
      error: always
    })
      .annotate(RequiredScope, "subscriptions.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List subscriptions",
          description:
            "One page of subscriptions with their payments. Go on until totalQtdFoundInPage is less than limit. " +
            "Needs the scope subscriptions.read.",
          identifier: "listSubscriptions"
        })
      )
  )
  .middleware(BearerToken)
  .annotateMerge(
    OpenApi.annotations({ title: "Subscriptions", description: "Contracts that payments are added to." })
  ) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class TransactionsGroup extends HttpApiGroup.make("transactions")
  .add(
    HttpApiEndpoint.get("list", "/transactions", {
      query: TransactionQuery,
      success: Answers.TransactionsAnswer,
      error: always
    })
      .annotate(RequiredScope, "transactions.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List transactions",
          description:
            "One page of transactions. Go on until totalQtdFoundInPage is less than limit. Needs the scope " +
            "transactions.read.",
          identifier: "listTransactions"
        })
      ),
    HttpApiEndpoint.post("add", "/transactions/:subscriptionId/:typeId/add", {
      params: SubscriptionPath,
      headers: idempotency,
      payload: AddPayment,
      success: Answers.TransactionAnswer,
      error: [...always, ...withBody, ...withKey, wire.NotFound]
    })
      .middleware(IdempotentWrite)
      .annotate(RequiredScope, "transactions.write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add a payment to a subscription",
          description:
            "Adds one payment. A card payment that is due today goes to the operator at once. Needs the scope " +
            "transactions.write. A 404 means that the subscription does not exist.",
          identifier: "addTransaction"
        })
      ),
    HttpApiEndpoint.put("retry", "/transactions/:transactionId/:typeId/retry", {
      params: TransactionPath,
      headers: idempotency,
      success: Answers.RetryAnswer,
      error: [...always, ...withKey, wire.NotFound, wire.GatewayTimeout]
    })
      .middleware(IdempotentWrite)
      .annotate(RequiredScope, "transactions.write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Retry card charge",
          description:
            "Tries again to capture a card transaction. A refusal by the operator is a 200 with status denied; " +
            "decide on Transaction.status, as reasonDenied may be of an earlier try. A 504 means that the outcome is " +
            "unknown and the money may have moved: repeat the request, which joins the attempt that is under way. " +
            "Needs the scope transactions.write. A 404 means that the transaction does not exist.",
          identifier: "retryTransaction"
        })
      )
  )
  .middleware(BearerToken)
  .annotateMerge(OpenApi.annotations({ title: "Transactions", description: "The payments of a subscription." })) {}

/**
 * @category groups
 * @since 0.1.0
 */
export class WebhooksGroup extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.put("edit", "/webhooks", {
      headers: idempotency,
      payload: EditWebhooks,
      success: Answers.WebhooksAnswer,
      error: [...always, ...withBody, ...withKey]
    })
      .middleware(IdempotentWrite)
      .annotate(RequiredScope, "webhooks.write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Edit webhooks",
          description:
            "Sets the address that events go to and the whole set of events that are on. Needs the scope " +
            "webhooks.write.",
          identifier: "editWebhooks"
        })
      )
  )
  .middleware(BearerToken)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Where events go, and which." })) {}

/**
 * The operations under a base address that includes the version segment: what a client is derived from.
 *
 * @category apis
 * @since 0.1.0
 */
export const Operations = HttpApi.make("parcela")
  .add(TokenGroup, SubscriptionsGroup, TransactionsGroup, WebhooksGroup)
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
        "Money is in cents. A time without a zone is Brazil time (America/Sao_Paulo). Every failing response carries " +
        "an error node; error.details lists every problem under Entity.field.",
      license: { name: "MIT", identifier: "MIT" }
    })
  )

/**
 * The operations under `/v2` (interface section 9): what a server serves.
 *
 * @category apis
 * @since 0.1.0
 */
export const Contract = Operations.prefix("/v2")

/**
 * What the contract needs of a server's router: Effect's own refuses path segments beyond 100 characters with a 404,
 * and a `myId` has up to 255, each at most 12 characters when percent-encoded. A trailing slash makes no difference, and
 * capitals do: what is `/v2` to the router is `/v2` to everything around it.
 *
 * @category configuration
 * @since 0.1.0
 */
export const routerConfig = { maxParamLength: 255 * 12, ignoreTrailingSlash: true, caseSensitive: true }
