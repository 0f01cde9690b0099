/**
 * Which methods each address takes, and which are known elsewhere: what distinguishes an unknown address (404), a wrong
 * method (405) and an operation that is not implemented here (501).
 *
 * @since 0.1.0
 */
import { Contract } from "@parcela/transport/Contract"
import { type Endpoint, endpointsOf } from "@parcela/transport/Endpoints"
import { badPath, methodNotAllowed, nothingHere, notImplemented } from "./ErrorResponse.ts"
import { familyOperations } from "./FamilyOperations.ts"
import { base, pathOf } from "./Paths.ts"
import type { Unrouted } from "./ServerMiddleware.ts"

/**
 * What a composition serves beside the contract of the interface.
 *
 * @category models
 * @since 0.1.0
 */
export interface OtherAddresses {
  /** What its paths begin with, such as `/admin`. */
  readonly base: string
  /** The page that describes them. */
  readonly page: string
  readonly endpoints: () => ReadonlyArray<Endpoint>
  /** Paths that are only read, which are in no contract. */
  readonly readOnly: ReadonlyArray<string>
}

interface KnownPath {
  readonly methods: ReadonlyArray<string>
  readonly pattern: RegExp
}

/** The page of the paths that one which is not there looks like. */
const pageOf = (path: string, others: ReadonlyArray<OtherAddresses>): string =>
  others.find((other) => path === other.base || path.startsWith(`${other.base}/`))?.page ?? "/docs"

const anySegment = "[^/]+"

/** `/a/:b/c` as a pattern. `:b` is any text without a slash; a slash at the end does not matter to the router. */
const patternOf = (path: string): RegExp => {
  // The kind of an identifier is no word such as `retry`, whatever a deployment calls its own.
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(":typeId", "[A-Za-z]+Id")
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, anySegment)}/?$`)
}

const ofContract = (endpoints: ReadonlyArray<Endpoint>): ReadonlyArray<KnownPath> =>
  endpoints.map(({ endpoint, path }) => ({ methods: [endpoint.method], pattern: patternOf(path) }))

const readOnly = (paths: ReadonlyArray<string>): ReadonlyArray<KnownPath> =>
  paths.map((path) => ({ methods: ["GET"], pattern: patternOf(path) }))

/** What the server serves beside contracts. */
const ownReadOnly = [
  "/health",
  "/favicon.ico",
  "/openapi.json",
  "/docs",
  "/documents/:svcPayId/:documentKey/boleto.pdf",
  "/documents/:svcPayId/:documentKey/pix.svg",
  "/documents/:svcPayId/:documentKey/pix"
]

/** What is served, and what other services of the family have. */
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
 * What is said to a request that no route took, where these are served beside the contract of the interface. What is known is
 * put together at the first one.
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
    // A route took it but for a part of its path.
    if (here.includes(method)) return badPath
    const elsewhere = methodsOf(known.family, path)
    if (elsewhere.includes(method)) return notImplemented
    const allowed = here.length > 0 ? here : elsewhere
    return allowed.length === 0 ? nothingHere(pageOf(path, others)) : methodNotAllowed(method, allowed)
  }
}
