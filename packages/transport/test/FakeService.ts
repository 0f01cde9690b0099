/**
 * A service with every operation of the contract. It records the requests and returns the examples of the contract.
 */
import { CompanyId } from "@parcela/core/companies/CompanyState"
import { detailsOf } from "@parcela/core/errors/ErrorDetails"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, type HttpApiGroup, HttpApiMiddleware } from "effect/http-api"
import { BadRequest, Forbidden, NotFound, Unauthorized } from "../src/ApiError.ts"
import {
  AuthenticatedClient,
  BearerToken,
  ClientCredentials,
  FaultsAsErrorNode,
  IdempotentWrite,
  RequiredScope
} from "../src/Security.ts"
import { Contract } from "../src/Contract.ts"
import { routerConfig, type EntityPath } from "../src/contract/EntityPath.ts"
import { Examples } from "../src/contract/Operation.ts"

const caller = AuthenticatedClient.of({ companyId: CompanyId.make(1), scopes: ["subscriptions.read"] })

const make = () => {
  const seen: Array<Seen> = []

  const Faults = HttpApiMiddleware.layerSchemaErrorTransform(FaultsAsErrorNode, (error) =>
    Effect.fail(new BadRequest({ message: "wrong", details: detailsOf(error.cause.issue, error.kind) }))
  )

  const Auth = Layer.mergeAll(
    Layer.succeed(
      ClientCredentials,
      ClientCredentials.of({
        clientCredentials: (effect, { credential }) =>
          credential.username === "shop" && Redacted.value(credential.password) === "secret"
            ? Effect.provideService(effect, AuthenticatedClient, caller)
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
            : Effect.provideService(effect, AuthenticatedClient, caller)
      })
    )
  )

  const Handlers = handlers((request) => seen.push(request))

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

/** The decoded parts of a request. */
interface Decoded {
  readonly params?: EntityPath
  readonly query?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
}

/** The parts of a request that its endpoint has. */
interface Seen extends Omit<Decoded, "params"> {
  readonly entity?: unknown
}

type Handler = (request: Decoded) => Effect.Effect<unknown, BadRequest | NotFound>

const entityOf = ({ typeId, ...ids }: EntityPath) => {
  const [id] = Object.values(ids)
  return { typeId, id: typeId === "svcPayId" ? Number(id) : id }
}

const handlerOf =
  (success: Schema.Top, response: unknown, record: (request: Seen) => void): Handler =>
  ({ headers, params, payload, query }) =>
    Effect.gen(function* () {
      const entity = params && entityOf(params)
      if (entity?.id === 404) return yield* new NotFound({ message: "x".repeat(300) })
      record(
        Object.fromEntries(Object.entries({ entity, headers, payload, query }).filter(([, part]) => part !== undefined))
      )
      // No schema of the contract needs a service.
      return Schema.decodeUnknownSync(success as Schema.Codec<unknown>)(response)
    })

/** The groups of the contract as services of its routes. */
type Groups = HttpApiGroup.Service<(typeof Contract)["identifier"], keyof (typeof Contract)["groups"]>

// The types of a group require a handler for each endpoint by name, which a loop cannot provide.
const groupOf = HttpApiBuilder.group as unknown as (
  api: typeof Contract,
  group: string,
  build: (all: { readonly handleAll: (handlers: { readonly [endpoint: string]: Handler }) => unknown }) => unknown
) => Layer.Layer<Groups>

/** The handlers of every operation. */
const handlers = (record: (request: Seen) => void): Layer.Layer<Groups> => {
  const groups = new Map<string, Record<string, Handler>>()
  HttpApi.reflect(Contract, {
    onGroup: ({ group }) => groups.set(group.identifier, {}),
    onEndpoint: ({ endpoint, group, successes }) => {
      const { response } = Context.getUnsafe(endpoint.annotations, Examples)
      groups.get(group.identifier)![endpoint.identifier] = handlerOf(successes.get(200)![0], response, record)
    }
  })
  const [first, ...others] = [...groups].map(([group, all]) =>
    groupOf(Contract, group, (builder) => builder.handleAll(all))
  )
  if (first === undefined) throw new Error("The contract has no group")
  return Layer.mergeAll(first, ...others)
}

/** A fake service that ends with its test. */
export const scoped = Effect.acquireRelease(Effect.sync(make), (service) => Effect.promise(service.dispose))
