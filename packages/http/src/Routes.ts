/**
 * Which methods each address takes: what tells an unknown address (404) from a wrong method (405).
 *
 * @since 0.1.0
 */
import { Contract } from "@parcela/transport/Contract"
import * as HttpApi from "effect/http-api/HttpApi"

interface Route {
  readonly method: string
  readonly pattern: RegExp
}

/** `/a/:b/c` as a pattern. `:b` is any text without a slash; a slash at the end does not matter to the router. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:[A-Za-z]+/g, "[^/]+")}/?$`)

const routesOfContract = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = []
  HttpApi.reflect(Contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      routes.push({ method: endpoint.method, pattern: patternOf(endpoint.path) })
    }
  })
  return routes
}

/** What the server serves beside the contract. */
const others: ReadonlyArray<Route> = [
  "/health",
  "/favicon.ico",
  "/openapi.json",
  "/docs",
  "/documents/:svcPayId/:documentKey/boleto.pdf",
  "/documents/:svcPayId/:documentKey/pix.svg",
  "/documents/:svcPayId/:documentKey/pix"
].map((path) => ({ method: "GET", pattern: patternOf(path) }))

const routes: ReadonlyArray<Route> = [...routesOfContract(), ...others]

/**
 * The methods that an address takes; none when there is nothing at it.
 *
 * @category getters
 * @since 0.1.0
 */
export const methodsOf = (path: string): ReadonlyArray<string> => [
  ...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
]
