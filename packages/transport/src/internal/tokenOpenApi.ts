/**
 * The OpenAPI 3.1 document of a contract whose requests need one token, or none.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { failure, errorExamples as interfaceExamples } from "../contract/Examples.ts"
import { type JsonObject, objectOf } from "./openApiNodes.ts"
import { described, documentOf, type Parameter, refer } from "./openApiOperations.ts"

/** The parts that differ between such documents. */
export interface TokenDocument {
  readonly server: { readonly url: string; readonly description: string }
  /** The token that every request needs, if there is one. */
  readonly token: { readonly scheme: string; readonly description: string } | undefined
  /** Errors by status code with messages of the contract's own. */
  readonly errorExamples: { readonly [status: number]: ErrorNode }
}

/** Errors that are the same in all contracts, and errors that name no entity. */
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

/**
 * Documents a parameter as a number. On the wire it is text, and the generator would document the pattern of the text.
 */
const withNumber = (parameter: Parameter): Parameter => {
  const shown = described(parameter)
  const pattern = shown.schema["pattern"]
  return typeof pattern === "string" && pattern.startsWith("^[+-]?") ? { ...shown, schema: { type: "number" } } : shown
}

/** Returns the document of a contract. Its paths are relative to the server's URL. */
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
