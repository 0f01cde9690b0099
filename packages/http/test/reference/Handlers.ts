/**
 * Every operation of the contract as a handler of `HttpApiBuilder`.
 *
 * @since 0.1.0
 */
import type { OperationRequest } from "@parcela/http/Operation"
import { entityOf } from "@parcela/http/RequestDecoder"
import { Replayed } from "@parcela/http/Idempotency"
import type { UseCaseError } from "@parcela/http/UseCaseErrors"
import { picked } from "@parcela/test-world/Picked"
import { AuthenticatedClient, IdempotentWrite } from "@parcela/transport/Security"
import { Contract } from "@parcela/transport/Contract"
import type { EntityPath } from "@parcela/transport/contract/EntityPath"
import { Effect, Layer, type Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { underKey } from "./Idempotency.ts"
import { failuresOf } from "./Refusals.ts"

/** The operations by `group.endpoint`, with their types forgotten: a request was decoded by the schemas of its endpoint. */
export type Operations = {
  readonly [name: string]: (request: OperationRequest<HttpApiEndpoint.Top>) => Effect.Effect<unknown, UseCaseError>
}

interface Decoded {
  readonly params?: EntityPath
  readonly payload?: unknown
  readonly query?: unknown
}

interface Endpoint {
  readonly name: string
  readonly isWrite: boolean
  readonly success: Schema.Top
}

const handlerOf = ({ isWrite, name, success }: Endpoint, operations: Operations) =>
  Effect.fn(name)(function* ({ params, payload, query }: Decoded) {
    const client = yield* AuthenticatedClient
    const command = { operation: name, ...(params && { params }), ...(payload === undefined ? {} : { payload }) }
    const request = {
      client,
      entity: params && (yield* entityOf(params)),
      params,
      payload,
      query,
      underKey: yield* underKey(command, success)
    }
    const operation = operations[name]
    if (operation === undefined) throw new Error(`${name} is no operation`)
    // The request has what its endpoint says.
    const view = yield* failuresOf(operation(request as never), isWrite)
    return view instanceof Replayed
      ? HttpServerResponse.text(view.text, {
          status: view.status,
          contentType: "application/json",
          headers: { "idempotent-replayed": "true" }
        })
      : picked(success, view as {})
  })

type Handler = ReturnType<typeof handlerOf>

/** The groups of the contract, as they are provided to its routes. */
type Groups = HttpApiGroup.Service<(typeof Contract)["identifier"], keyof (typeof Contract)["groups"]>

// The types of a group want a handler of each of its endpoints by name, which a loop does not give.
const groupOf = HttpApiBuilder.group as unknown as (
  api: typeof Contract,
  group: string,
  build: (handlers: { readonly handleAll: (all: { readonly [endpoint: string]: Handler }) => unknown }) => unknown
) => Layer.Layer<Groups>

/** The groups of the contract over these operations. */
export const layer = (operations: Operations): Layer.Layer<Groups> => {
  const groups = new Map<string, Record<string, Handler>>()
  HttpApi.reflect(Contract, {
    onGroup: ({ group }) => groups.set(group.identifier, {}),
    onEndpoint: ({ endpoint, group, middleware, successes }) => {
      const name = `${group.identifier}.${endpoint.identifier}`
      const isWrite = [...middleware].some(({ key }) => key === IdempotentWrite.key)
      const [success] = successes.get(200) ?? []
      if (success === undefined) throw new Error(`${name} has no response with status 200`)
      groups.get(group.identifier)![endpoint.identifier] = handlerOf({ name, isWrite, success }, operations)
    }
  })
  const [first, ...others] = [...groups].map(([group, handlers]) =>
    groupOf(Contract, group, (all) => all.handleAll(handlers))
  )
  if (first === undefined) throw new Error("The contract has no group")
  return Layer.mergeAll(first, ...others)
}
