/**
 * The endpoints of a contract, without what Effect's `HttpApi.reflect` works out of each: a server that starts needs little
 * of it.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as Schema from "effect/Schema"

/**
 * An endpoint of a contract.
 *
 * @category models
 * @since 0.1.0
 */
export interface Endpoint {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
  /** With the prefixes of its group and its contract. */
  readonly path: HttpRouter.PathInput
  /** Its own, over those of its group, over those of the contract. */
  readonly annotations: () => Context.Context<never>
  /** What a 200 holds. */
  readonly success: () => Schema.Top
}

/**
 * The endpoints in their order.
 *
 * @category getters
 * @since 0.1.0
 */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Endpoint> => {
  // Of which groups a contract is made up is known to its type alone.
  const groups: ReadonlyArray<HttpApiGroup.Top> = Object.values(contract.groups)
  return groups.flatMap((group) => {
    const endpoints: ReadonlyArray<HttpApiEndpoint.Top> = Object.values(group.endpoints)
    return endpoints.map((endpoint) => ({
      endpoint,
      group,
      // Every path of a contract begins with a slash.
      path: endpoint.path as HttpRouter.PathInput,
      annotations: () =>
        contract.annotations.pipe(Context.merge(group.annotations), Context.merge(endpoint.annotations)),
      success: () => successOf(contract, endpoint)
    }))
  })
}

const successOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>,
  endpoint: HttpApiEndpoint.Top
): Schema.Top => {
  let found: Schema.Top | undefined
  HttpApi.reflect(contract, {
    predicate: (one) => one.endpoint === endpoint,
    onGroup: () => {},
    onEndpoint: ({ successes }) => {
      found = successes.get(200)?.[0]
    }
  })
  if (found === undefined) throw new Error(`${endpoint.identifier} has no response with status 200`)
  return found
}
