/**
 * Every route of the service: the contract under `/v2`, `/openapi.json`, `/docs` and `/health`, and any others of a composition.
 *
 * **Details**
 *
 * Nearly all modules of a server are behind its routes: a program that imports this one when `Server.serve` asks for it starts
 * sooner.
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
 * What `Server.serve` serves: these routes beside others, and what is said where none is. `addresses` are those of others that
 * are known by their methods.
 *
 * @category constructors
 * @since 0.1.0
 */
export const served = <A, R>(others: Layer.Layer<A, never, R>, addresses: ReadonlyArray<OtherAddresses> = []) => ({
  routes: Layer.merge(own, others),
  unrouted: unrouted(addresses)
})
