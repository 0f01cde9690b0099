/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs` and `/health`, and any others of a composition.
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
 * What `Server.serve` serves: these routes and others, and the response to an unknown address. `addresses` are those of the others, with
 * their methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const served = <A, R>(others: Layer.Layer<A, never, R>, addresses: ReadonlyArray<OtherAddresses> = []) => ({
  routes: Layer.merge(own, others),
  unrouted: unrouted(addresses)
})
