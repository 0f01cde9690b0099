/**
 * The contract with canned handlers: what reaches a handler is recorded, what it answers is the contract's example.
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { detailsOf } from "@parcela/core/errors/Faults"
import { Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder, HttpApiMiddleware } from "effect/http-api"
import { SubscriptionListResponse, SubscriptionResponse } from "../src/contract/Subscriptions.ts"
import { TokenResponse } from "../src/contract/Token.ts"
import { RetryResponse, TransactionListResponse, TransactionResponse } from "../src/contract/Transactions.ts"
import { WebhooksResponse } from "../src/contract/Webhooks.ts"
import { BadRequest, Forbidden, NotFound, Unauthorized } from "../src/ApiError.ts"
import { Caller } from "../src/Caller.ts"
import { Contract, routerConfig } from "../src/Contract.ts"
import { entityRef } from "../src/EntityPath.ts"
import { examples } from "./fixtures/Examples.ts"
import { BearerToken, ClientCredentials, FaultsAsErrorNode, IdempotentWrite, RequiredScope } from "../src/Security.ts"

const read = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown): A => Schema.decodeUnknownSync(schema)(value)

const caller = Caller.of({ companyId: CompanyId.make(1), scopes: ["subscriptions.read"] })

const make = () => {
  const seen: Array<unknown> = []
  const record = <A>(value: unknown, answer: A) => Effect.sync(() => (seen.push(value), answer))

  const Faults = HttpApiMiddleware.layerSchemaErrorTransform(FaultsAsErrorNode, (error) =>
    Effect.fail(new BadRequest({ message: "wrong", details: detailsOf(error.cause.issue, error.kind) }))
  )

  const Auth = Layer.mergeAll(
    Layer.succeed(
      ClientCredentials,
      ClientCredentials.of({
        clientCredentials: (effect, { credential }) =>
          credential.username === "shop" && Redacted.value(credential.password) === "secret"
            ? Effect.provideService(effect, Caller, caller)
            : Effect.fail(new Unauthorized({ message: "no" }))
      })
    ),
    Layer.succeed(
      BearerToken,
      BearerToken.of({
        bearerToken: (effect, { credential, endpoint }) =>
          Redacted.value(credential) === "narrow"
            ? Effect.fail(
                new Forbidden({ message: Option.getOrThrow(Context.getOption(endpoint.annotations, RequiredScope)) })
              )
            : Effect.provideService(effect, Caller, caller)
      })
    )
  )

  const Handlers = Layer.mergeAll(
    HttpApiBuilder.group(Contract, "token", (handlers) =>
      handlers.handle("token", ({ payload }) => record(payload, read(TokenResponse, examples.createToken.response)))
    ),
    HttpApiBuilder.group(Contract, "subscriptions", (handlers) =>
      handlers
        .handle("createManual", ({ headers, payload }) =>
          record({ headers, payload }, read(SubscriptionResponse, examples.createManualSubscription.response))
        )
        .handle("list", ({ query }) =>
          record(query, read(SubscriptionListResponse, examples.listSubscriptions.response))
        )
    ),
    HttpApiBuilder.group(Contract, "transactions", (handlers) =>
      handlers
        .handle("list", ({ query }) => record(query, read(TransactionListResponse, examples.listTransactions.response)))
        .handle("add", ({ params, payload }) =>
          record({ params, payload }, read(TransactionResponse, examples.addTransaction.response))
        )
        .handle("retry", ({ params }) =>
          Result.match(entityRef(params), {
            onSuccess: (ref) =>
              ref.id === 404
                ? Effect.fail(new NotFound({ message: "x".repeat(300) }))
                : record(ref, read(RetryResponse, examples.retryTransaction.response)),
            onFailure: (details) => Effect.fail(new BadRequest({ message: "wrong", details }))
          })
        )
    ),
    HttpApiBuilder.group(Contract, "webhooks", (handlers) =>
      handlers
        .handle("get", () => record(undefined, examples.getWebhooks.response))
        .handle("edit", ({ payload }) => record(payload, read(WebhooksResponse, examples.editWebhooks.response)))
    ),
    HttpApiBuilder.group(Contract, "cardBrands", (handlers) =>
      handlers.handle("list", () => record(undefined, examples.listCardBrands.response))
    )
  )

  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Contract).pipe(
      Layer.provide(Handlers),
      Layer.provide(
        Layer.succeed(
          IdempotentWrite,
          IdempotentWrite.of((effect) => effect)
        )
      ),
      Layer.provide(Auth),
      Layer.provide(Faults),
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true, routerConfig }
  )
  return { dispose, handler, seen }
}

/** A fake service for one test, ended with it. */
export const scoped = Effect.acquireRelease(Effect.sync(make), (service) => Effect.promise(service.dispose))
