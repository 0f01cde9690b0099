/**
 * Which methods each address takes, and which are known elsewhere: what distinguishes an unknown address (404), a wrong
 * method (405) and an operation that is not implemented here (501).
 *
 * @since 0.1.0
 */
import { Contract } from "@parcela/transport/Contract"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { badPath, methodNotAllowed, nothingHere, notImplemented } from "./ErrorResponse.ts"
import { familyOperations } from "./FamilyOperations.ts"
import { base, pathOf } from "./Paths.ts"

interface KnownPath {
  readonly methods: ReadonlyArray<string>
  readonly pattern: RegExp
}

const anySegment = "[^/]+"

/** `/a/:b/c` as a pattern. `:b` is any text without a slash; a slash at the end does not matter to the router. */
const patternOf = (path: string): RegExp => {
  // The kind of an identifier is no word such as `retry`, whatever a deployment calls its own.
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(":typeId", "[A-Za-z]+Id")
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, anySegment)}/?$`)
}

const ofContract = (): ReadonlyArray<KnownPath> => {
  const paths: Array<KnownPath> = []
  HttpApi.reflect(Contract, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      paths.push({ methods: [endpoint.method], pattern: patternOf(endpoint.path) })
    }
  })
  return paths
}

/** What the server serves beside the contract. */
const others = [
  "/health",
  "/favicon.ico",
  "/openapi.json",
  "/docs",
  "/documents/:svcPayId/:documentKey/boleto.pdf",
  "/documents/:svcPayId/:documentKey/pix.svg",
  "/documents/:svcPayId/:documentKey/pix"
].map((path) => ({ methods: ["GET"], pattern: patternOf(path) }))

const served: ReadonlyArray<KnownPath> = [...ofContract(), ...others]

const family: ReadonlyArray<KnownPath> = familyOperations.map(([methods, path]) => ({
  methods: methods.split(" "),
  pattern: patternOf(`${base}${path}`)
}))

const methodsOf = (paths: ReadonlyArray<KnownPath>, path: string): ReadonlyArray<string> => [
  ...new Set(paths.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : [])))
]

/**
 * The response to a request that no route took.
 *
 * @category responses
 * @since 0.1.0
 */
export const unrouted = ({
  method,
  url
}: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
  const path = pathOf(url)
  const here = methodsOf(served, path)
  // A route took it but for a part of its path.
  if (here.includes(method)) return badPath
  const elsewhere = methodsOf(family, path)
  if (elsewhere.includes(method)) return notImplemented
  const known = here.length > 0 ? here : elsewhere
  return known.length === 0 ? nothingHere : methodNotAllowed(method, known)
}
