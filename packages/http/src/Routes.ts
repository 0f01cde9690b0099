/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs`, `/health` and routes that a
 * composition adds.
 *
 * @since 0.1.0
 */
import * as Layer from "effect/Layer"
import * as Docs from "./Docs.ts"
import * as Health from "./Health.ts"
import { type OtherAddresses, unrouted } from "./KnownPaths.ts"
import * as OpenApiRoute from "./OpenApiRoute.ts"
import * as Operations from "./Operations.ts"
import * as Root from "./Root.ts"

const own = Layer.mergeAll(Operations.layer, OpenApiRoute.layer, Docs.layer, Health.layer, Root.layer)

/**
 * Returns the argument of `Server.serve`: these routes, additional routes, and the response to unknown paths.
 * `addresses` lists paths and methods of the additional routes.
 *
 * @category constructors
 * @since 0.1.0
 */
export const served = <A, R>(others: Layer.Layer<A, never, R>, addresses: ReadonlyArray<OtherAddresses> = []) => ({
  routes: Layer.merge(own, others),
  unrouted: unrouted(addresses)
})
