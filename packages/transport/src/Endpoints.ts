/**
 * The endpoints of a contract. Effect's `HttpApi.reflect` computes more than a starting server needs, so this module
 * reads only the needed parts.
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
  /** The path with the prefixes of its group and its contract. */
  readonly path: HttpRouter.PathInput
  /** Annotations of the endpoint, which override those of its group and of the contract. */
  readonly annotations: () => Context.Context<never>
  /** The schema of a 200. */
  readonly success: () => Schema.Top
}

/**
 * Returns the endpoints of a contract in their order.
 *
 * @category getters
 * @since 0.1.0
 */
export const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  contract: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<Endpoint> => {
  // Only the type of a contract lists its groups.
  const groups: ReadonlyArray<HttpApiGroup.Top> = Object.values(contract.groups)
  return groups.flatMap((group) => {
    const endpoints: ReadonlyArray<HttpApiEndpoint.Top> = Object.values(group.endpoints)
    return endpoints.map((endpoint) => ({
      endpoint,
      group,
      // Every path of a contract starts with a slash.
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
