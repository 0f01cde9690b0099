/**
 * The methods that each path supports here and in other services of the family. This table distinguishes an unknown
 * path (404), a wrong method (405) and an operation that is not implemented here (501).
 *
 * @since 0.1.0
 */
import { Contract } from "@parcela/transport/Contract"
import { type Endpoint, endpointsOf } from "@parcela/transport/Endpoints"
import { badPath, methodNotAllowed, nothingHere, notImplemented } from "../ErrorResponse.ts"
import { base, pathOf } from "../Paths.ts"
import type { Unrouted } from "./ServerMiddleware.ts"

/**
 * Paths that a composition serves in addition to the contract of the interface.
 *
 * @category models
 * @since 0.1.0
 */
export interface OtherAddresses {
  /** The common prefix of the paths, such as `/admin`. */
  readonly base: string
  /** The page that describes the paths. */
  readonly page: string
  readonly endpoints: () => ReadonlyArray<Endpoint>
  /** Read-only paths, which no contract contains. */
  readonly readOnly: ReadonlyArray<string>
}

interface KnownPath {
  readonly methods: ReadonlyArray<string>
  readonly pattern: RegExp
}

/** Returns the reference page for the prefix of an unknown path. */
const pageOf = (path: string, others: ReadonlyArray<OtherAddresses>): string =>
  others.find((other) => path === other.base || path.startsWith(`${other.base}/`))?.page ?? "/docs"

const anySegment = "[^/]+"

/**
 * Returns the pattern for a path such as `/a/:b/c`. `:b` is any text without a slash. The router ignores a slash at the
 * end.
 */
const patternOf = (path: string): RegExp => {
  // A deployment may rename `typeId`, but the name still ends in `Id`, unlike words such as `retry`.
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(":typeId", "[A-Za-z]+Id")
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, anySegment)}/?$`)
}

const ofContract = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<KnownPath> =>
  endpoints.map(({ endpoint, path }) => ({ methods: [endpoint.method], pattern: patternOf(path) }))

const readOnly = (paths: ReadonlyArray<string>): ReadonlyArray<KnownPath> =>
  paths.map((path) => ({ methods: ["GET"], pattern: patternOf(path) }))

/** Paths that the server serves without a contract. */
const ownReadOnly = [
  "/health",
  "/favicon.ico",
  "/openapi.json",
  "/docs",
  "/documents/:svcPayId/:documentKey/boleto.pdf",
  "/documents/:svcPayId/:documentKey/pix.svg",
  "/documents/:svcPayId/:documentKey/pix"
]

/** Returns the served paths and the paths of the service family. */
const knownPaths = (others: ReadonlyArray<OtherAddresses>) => ({
  served: [
    ...ofContract(endpointsOf(Contract)),
    ...readOnly(ownReadOnly),
    ...others.flatMap((other) => [...ofContract(other.endpoints()), ...readOnly(other.readOnly)])
  ],
  family: familyOperations.map(([methods, path]): KnownPath => ({
    methods: methods.split(" "),
    pattern: patternOf(`${base}${path}`)
  }))
})

const methodsOf = (paths: ReadonlyArray<KnownPath>, path: string): ReadonlyArray<string> => [
  ...new Set(paths.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : [])))
]

/**
 * Returns the response to requests without a route. `others` are paths in addition to the contract of the interface.
 * The table of paths is built at the first such request.
 *
 * @category responses
 * @since 0.1.0
 */
export const unrouted = (others: ReadonlyArray<OtherAddresses>): Unrouted => {
  let known: ReturnType<typeof knownPaths> | undefined
  return ({ method, url }) => {
    known ??= knownPaths(others)
    const path = pathOf(url)
    const here = methodsOf(known.served, path)
    // The router refused only a segment of this path.
    if (here.includes(method)) return badPath
    const elsewhere = methodsOf(known.family, path)
    if (elsewhere.includes(method)) return notImplemented
    const allowed = here.length > 0 ? here : elsewhere
    return allowed.length === 0 ? nothingHere(pageOf(path, others)) : methodNotAllowed(method, allowed)
  }
}

/**
 * Method and path of each operation below `/v2`, including the implemented ones.
 *
 * @category tables
 * @since 0.1.0
 */
export const familyOperations: ReadonlyArray<readonly [methods: string, path: string]> = [
  ["GET POST", "/customers"],
  ["PUT DELETE", "/customers/:customerId/:typeId"],
  ["GET POST", "/plans"],
  ["PUT DELETE", "/plans/:planId/:typeId"],
  ["GET", "/cards"],
  ["POST", "/cards/:customerId/:typeId"],
  ["DELETE", "/cards/:cardId/:typeId"],
  ["GET POST", "/subscriptions"],
  ["PUT DELETE", "/subscriptions/:subscriptionId/:typeId"],
  ["PUT DELETE", "/transactions/:transactionId/:typeId"],
  ["PUT", "/transactions/:transactionId/:typeId/reverse"],
  ["PUT", "/transactions/:transactionId/:typeId/capture"],
  ["GET POST", "/charges"],
  ["PUT DELETE", "/charges/:chargeId/:typeId"],
  ["PUT", "/charges/:chargeId/:typeId/retry"],
  ["PUT", "/charges/:chargeId/:typeId/reverse"],
  ["PUT", "/charges/:chargeId/:typeId/capture"],
  ["GET", "/card-brands"],
  ["GET", "/payment-methods"],
  ["POST", "/boletos"],
  ["POST", "/boletos/:entityType"],
  ["POST", "/carnes/:typePDF"],
  ["POST", "/carnes/:typePDF/:typeCover"],
  ["GET POST", "/pos"],
  ["GET PUT DELETE", "/pos/:posId/:typeId"],
  ["GET", "/releases"],
  ["GET", "/company/fees"],
  ["GET", "/company/balance"],
  ["GET", "/company/balance/movements"],
  ["POST", "/pix/payment"],
  ["POST", "/transfer/internal"],
  ["GET", "/antecipation/simulate/get-by-filters"],
  ["POST", "/antecipation/simulate"],
  ["POST", "/antecipation"],
  ["GET POST", "/company/mandatory-documents"],
  ["GET", "/company/subaccounts"],
  ["POST", "/company/subaccount"],
  ["PUT DELETE", "/company/subaccount/:companyId"],
  ["PUT", "/company/subaccount/active/:companyId"],
  ["GET", "/chargebacks"],
  ["PUT", "/chargebacks/:chargebackId"],
  ["PUT", "/chargebacks/lose/:chargebackId"]
]
