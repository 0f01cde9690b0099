/**
 * The typed client: it logs in once, repeats a read when that may help, and a write only under its
 * `Idempotency-Key`.
 *
 * @since 0.1.0
 */
import { AddPayment } from "@parcela/core/transactions/AddPayment"
import { CreateManualSubscription } from "@parcela/core/subscriptions/CreateManualSubscription"
import { EditWebhooks } from "@parcela/core/webhooks/EditWebhooks"
import { detailsOf } from "@parcela/core/errors/Faults"
import type { EntityRef } from "@parcela/core/values/Identifier"
import type { Decoder } from "@parcela/core/json/Reading"
import type * as Brand from "effect/Brand"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { InvalidRequest, type ReadError, type TokenError, type WriteError } from "./ClientError.ts"
import { type ClientOptions, config, withoutSlash } from "./ClientOptions.ts"
import { Operations } from "./Contract.ts"
import type { TokenRequest } from "./contract/Token.ts"
import { type EntityPath, entityRef } from "./EntityPath.ts"
import { SubscriptionQuery, TransactionQuery } from "./ListQuery.ts"
import { repeatedly, type Sending, underKey, WriteProgress } from "./Repeat.ts"
import * as Responses from "./Responses.ts"
import { BearerToken, ClientCredentials } from "./Security.ts"
import { TokenManager, withToken } from "./TokenManager.ts"

/**
 * An identifier as a person writes it: `{ typeId: "myId", id: "payment-1" }`.
 *
 * @category models
 * @since 0.1.0
 */
export type Ref = typeof EntityRef.Encoded

/**
 * The same shape without brands: what a caller writes down.
 *
 * @category models
 * @since 0.1.0
 */
export type Plain<T> =
  T extends Brand.Brand<string>
    ? Brand.Brand.Unbranded<T>
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Plain<Item>>
      : T extends object
        ? { readonly [Key in keyof T]: Plain<T[Key]> }
        : T

/**
 * @category models
 * @since 0.1.0
 */
export interface WriteOptions {
  /**
   * The name of this write, 1 to 255 characters. Give one and keep it wherever the write must survive a crash of the
   * caller; when absent one is generated.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Is told the key, given or generated, before the write is sent. For a caller that may interrupt the write where
   * nobody sees its exit, as `Effect.timeout` and a race do: without it a generated key is lost with the write.
   */
  readonly onKey?: ((idempotencyKey: string) => Effect.Effect<void>) | undefined
}

/**
 * The operations. A body is what the wire carries and is checked before it is sent.
 *
 * @category services
 * @since 0.1.0
 */
export class ParcelaClient extends Context.Service<
  ParcelaClient,
  {
    /** A token of one's own; the other operations get theirs by themselves. */
    readonly token: (request?: TokenRequest) => Effect.Effect<Responses.Token, TokenError>
    readonly subscriptions: {
      readonly createManual: (
        body: typeof CreateManualSubscription.Encoded,
        options?: WriteOptions
      ) => Effect.Effect<Responses.Decoded<typeof Responses.subscription>, WriteError>
      readonly list: (
        query: Plain<SubscriptionQuery>
      ) => Effect.Effect<Responses.Decoded<typeof Responses.subscriptions>, ReadError>
    }
    readonly transactions: {
      /** Adds a payment to `subscription`. */
      readonly add: (
        subscription: Ref,
        body: typeof AddPayment.Encoded,
        options?: WriteOptions
      ) => Effect.Effect<Responses.Decoded<typeof Responses.transaction>, WriteError>
      /** Tries to capture `transaction` again; a refusal by the operator succeeds with `status: "denied"`. */
      readonly retry: (
        transaction: Ref,
        options?: WriteOptions
      ) => Effect.Effect<Responses.Decoded<typeof Responses.retry>, WriteError>
      readonly list: (
        query: Plain<TransactionQuery>
      ) => Effect.Effect<Responses.Decoded<typeof Responses.transactions>, ReadError>
    }
    readonly webhooks: {
      /** Sets the address and the whole set of events. */
      readonly edit: (
        body: typeof EditWebhooks.Encoded,
        options?: WriteOptions
      ) => Effect.Effect<Responses.Decoded<typeof Responses.webhooks>, WriteError>
    }
  }
>()("@parcela/transport/ParcelaClient") {
  /** Over any `HttpClient` and any source of chance. */
  static readonly layerNoDeps = (
    options: ClientOptions
  ): Layer.Layer<ParcelaClient, never, HttpClient.HttpClient | SecureRandom.SecureRandom> =>
    Layer.effect(ParcelaClient, make(options)).pipe(
      Layer.provide([layerBearerToken, layerClientCredentials(options)]),
      Layer.provide(TokenManager.layer(options))
    )

  /** Over `fetch`. A redirect is not followed: it would take the credentials elsewhere. */
  static readonly layer = (options: ClientOptions): Layer.Layer<ParcelaClient> =>
    ParcelaClient.layerNoDeps(options).pipe(
      Layer.provide([
        FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))),
        SecureRandom.layerWebCrypto
      ])
    )

  /** Over `fetch`, with `PARCELA_BASE_URL`, `PARCELA_CLIENT_ID`, `PARCELA_CLIENT_SECRET` and the rest of `config`. */
  static readonly layerConfig: Layer.Layer<ParcelaClient, Config.ConfigError> = Layer.unwrap(
    Effect.map(config, (options) => ParcelaClient.layer(options))
  )
}

/**
 * Gives a client that is derived from the contract its bearer token.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerBearerToken: Layer.Layer<
  HttpApiMiddleware.ForClient<BearerToken>,
  never,
  TokenManager
> = HttpApiMiddleware.layerClient(
  BearerToken,
  Effect.map(
    TokenManager,
    (tokens) =>
      ({ next, request }) =>
        withToken(tokens, (token) =>
          Effect.flatMap(WriteProgress, (progress) => {
            if (progress !== undefined) progress.isSent = true
            return next(HttpClientRequest.bearerToken(request, token))
          })
        )
  )
)

/**
 * Gives a client that is derived from the contract its credentials for `/token`.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerClientCredentials = (
  options: Pick<ClientOptions, "clientId" | "clientSecret">
): Layer.Layer<HttpApiMiddleware.ForClient<ClientCredentials>> =>
  HttpApiMiddleware.layerClient(ClientCredentials, ({ next, request }) =>
    next(HttpClientRequest.basicAuth(request, options.clientId, options.clientSecret))
  )

const make = Effect.fnUntraced(function* (options: ClientOptions) {
  const tokens = yield* TokenManager
  const random = yield* SecureRandom.SecureRandom
  const api = yield* HttpApiClient.make(Operations, { baseUrl: withoutSlash(options.baseUrl) })
  const raw = { responseMode: "response-only" } as const

  const write = <A>(
    operation: string,
    reading: Decoder<A>,
    given: WriteOptions | undefined,
    send: (headers: { readonly "idempotency-key": string }) => Sending
  ) =>
    Effect.flatMap(given?.idempotencyKey === undefined ? random.uuidV4() : keyOf(given.idempotencyKey), (key) =>
      Effect.andThen(
        given?.onKey?.(key) ?? Effect.void,
        underKey(options, operation, reading, key, send({ "idempotency-key": key }))
      )
    )

  const token = Effect.fn("ParcelaClient.token")((request?: TokenRequest) =>
    tokens.request(request ?? { grant_type: "client_credentials", ...(options.scope ? { scope: options.scope } : {}) })
  )

  const createManual = Effect.fn("ParcelaClient.subscriptions.createManual")(function* (
    body: typeof CreateManualSubscription.Encoded,
    given?: WriteOptions
  ) {
    const payload = yield* checked(CreateManualSubscription, body, "Subscription")
    return yield* write("subscriptions.createManual", Responses.subscription, given, (headers) =>
      api.subscriptions.createManual({ ...raw, headers, payload })
    )
  })

  const listSubscriptions = Effect.fn("ParcelaClient.subscriptions.list")(function* (query: Plain<SubscriptionQuery>) {
    const asked = yield* checked(Schema.toType(SubscriptionQuery), query, "Subscription")
    return yield* repeatedly(
      options,
      "subscriptions.list",
      Responses.subscriptions,
      api.subscriptions.list({ ...raw, query: asked })
    )
  })

  const add = Effect.fn("ParcelaClient.transactions.add")(function* (
    subscription: Ref,
    body: typeof AddPayment.Encoded,
    given?: WriteOptions
  ) {
    const params = { subscriptionId: String(subscription.id), typeId: subscription.typeId }
    yield* checkedPath(params)
    const payload = yield* checked(AddPayment, body, "Transaction")
    return yield* write("transactions.add", Responses.transaction, given, (headers) =>
      api.transactions.add({ ...raw, params, headers, payload })
    )
  })

  const retry = Effect.fn("ParcelaClient.transactions.retry")(function* (transaction: Ref, given?: WriteOptions) {
    const params = { transactionId: String(transaction.id), typeId: transaction.typeId }
    yield* checkedPath(params)
    return yield* write("transactions.retry", Responses.retry, given, (headers) =>
      api.transactions.retry({ ...raw, params, headers })
    )
  })

  const listTransactions = Effect.fn("ParcelaClient.transactions.list")(function* (query: Plain<TransactionQuery>) {
    const asked = yield* checked(Schema.toType(TransactionQuery), query, "Transaction")
    return yield* repeatedly(
      options,
      "transactions.list",
      Responses.transactions,
      api.transactions.list({ ...raw, query: asked })
    )
  })

  const edit = Effect.fn("ParcelaClient.webhooks.edit")(function* (
    body: typeof EditWebhooks.Encoded,
    given?: WriteOptions
  ) {
    const payload = yield* checked(EditWebhooks, body, "Webhook")
    return yield* write("webhooks.edit", Responses.webhooks, given, (headers) =>
      api.webhooks.edit({ ...raw, headers, payload })
    )
  })

  return ParcelaClient.of({
    token,
    subscriptions: { createManual, list: listSubscriptions },
    transactions: { add, retry, list: listTransactions },
    webhooks: { edit }
  })
})

const checked = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown, entity: string) =>
  Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })(value).pipe(
    Effect.mapError((error) => new InvalidRequest({ details: detailsOf(error.issue, entity) }))
  )

const checkedPath = (path: EntityPath) =>
  Effect.fromResult(entityRef(path)).pipe(Effect.mapError((details) => new InvalidRequest({ details })))

const keyOf = (key: string): Effect.Effect<string, InvalidRequest> =>
  // Anything else could not travel in a header as it is.
  /^[\x21-\x7e]{1,255}$/u.test(key)
    ? Effect.succeed(key)
    : Effect.fail(
        new InvalidRequest({ details: { "Request.idempotencyKey": ["must be 1 to 255 visible ASCII characters"] } })
      )
