/**
 * The OpenAPI 3.1 document of a contract whose requests need one token, or none.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { failure } from "../contract/ExampleEntities.ts"
import { errorExamples as interfaceExamples } from "../contract/ErrorExamples.ts"
import { type JsonObject, objectOf } from "./openApiNodes.ts"
import { described, documentOf, type Parameter, refer } from "./openApiOperations.ts"

/** What differs between such documents. */
export interface TokenDocument {
  readonly server: { readonly url: string; readonly description: string }
  /** The token that every request needs, where there is one. */
  readonly token: { readonly scheme: string; readonly description: string } | undefined
  /** An error of each status code whose words are the contract's own. */
  readonly errorExamples: { readonly [status: number]: ErrorNode }
}

/** The errors that all contracts have, and those that no entity is named in. */
const common: TokenDocument["errorExamples"] = {
  ...interfaceExamples,
  503: failure("The service cannot use its store at the moment: try again"),
  504: failure("The outcome is not known yet, and the money may have moved: repeat the request to get the outcome")
}

const headers: JsonObject = {
  RequestId: {
    description: "Identifier of this request, for the log.",
    schema: { type: "string", examples: ["01M2Z3V5C8"] }
  }
}

/** A number is written in an address as text; the document says that it is a number, and not what its text looks like. */
const withNumber = (parameter: Parameter): Parameter => {
  const shown = described(parameter)
  const pattern = shown.schema["pattern"]
  return typeof pattern === "string" && pattern.startsWith("^[+-]?") ? { ...shown, schema: { type: "number" } } : shown
}

/** The document of a contract. Its paths are relative to the address of the server. */
export const tokenOpenApi = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { errorExamples, server, token }: TokenDocument
): JsonObject => {
  const { components, paths, rest } = documentOf(api, {
    errorExamples: { ...common, ...errorExamples },
    headersOf: () => ({ "X-Request-Id": refer("headers", "RequestId") }),
    parameterOf: withNumber,
    securityOf: () => (token === undefined ? [] : [{ [token.scheme]: [] }]),
    alsoSent: []
  })
  const { info, openapi, ...others } = rest
  return {
    openapi: openapi ?? "",
    info: objectOf(info),
    servers: [server],
    ...others,
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers,
      ...(token === undefined
        ? {}
        : { securitySchemes: { [token.scheme]: { type: "http", scheme: "bearer", description: token.description } } })
    }
  }
}
