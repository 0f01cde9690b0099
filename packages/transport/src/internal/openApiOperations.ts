/**
 * The operations of a contract in an OpenAPI document: generated operations with the contract's examples, and shared
 * components for common errors.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Option from "effect/Option"
import { Examples } from "../contract/Operation.ts"
import {
  deduplicated,
  flattened,
  type Json,
  type JsonObject,
  mapObjects,
  objectOf,
  opened,
  reachable
} from "./openApiNodes.ts"

export interface Components extends JsonObject {
  schemas: JsonObject
  securitySchemes: JsonObject
}

export interface Parameter extends JsonObject {
  name: string
  schema: JsonObject
}

export type Reference = { $ref: string }

export interface Operation extends JsonObject {
  operationId: string
  parameters: Array<Parameter | Reference>
  security: Array<JsonObject>
  responses: { [status: string]: JsonObject }
}

export type Annotations = Context.Context<never>

/** The parts that differ between documents. */
export interface DocumentOf {
  readonly errorExamples: { readonly [status: number]: ErrorNode }
  /** The headers of the responses of an operation. */
  readonly headersOf: (status: string, operation?: Operation) => JsonObject
  readonly parameterOf: (parameter: Parameter, annotations: Annotations) => Parameter | Reference
  readonly securityOf: (security: Array<JsonObject>, annotations: Annotations) => Array<JsonObject>
  /** Nodes of deliveries, which clients receive in addition to responses. */
  readonly alsoSent: ReadonlyArray<Json>
}

const json = "application/json"

export const refer = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

// An example is the JSON of a request or a response.
const example = (value: unknown): JsonObject => ({ default: { value: value as Json } })

/** Returns the components of a document by kind. */
export const componentsOf = (document: JsonObject): Components => {
  const components = objectOf(document["components"])
  const { schemas, securitySchemes } = components
  return { ...components, schemas: objectOf(schemas), securitySchemes: objectOf(securitySchemes) }
}

/** Returns the operations of a document as references, not copies. */
export const operationsIn = (document: JsonObject): ReadonlyArray<Operation> =>
  Object.values(objectOf(document["paths"])).flatMap((path) =>
    // The generator writes only operations below a path, and always these fields.
    Object.values(objectOf(path)).map((operation) => objectOf(operation) as Operation)
  )

/** Moves the description from a parameter's schema to the parameter, where readers expect it. */
export const described = (parameter: Parameter): Parameter => {
  const { description, ...schema } = parameter.schema
  return description === undefined ? parameter : { ...parameter, description, schema }
}

/** The names of error responses that are the same for all operations. */
const sharedNames: { readonly [status: string]: string } = {
  401: "Unauthorized",
  403: "Forbidden",
  409: "Conflict",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  429: "TooManyRequests",
  500: "Internal",
  503: "Unavailable",
  504: "GatewayTimeout"
}

const failure = (response: JsonObject, headers: JsonObject, body: ErrorNode | undefined): JsonObject => ({
  description: response["description"] ?? "",
  headers,
  content: {
    [json]: { schema: refer("schemas", "ErrorNode"), ...(body === undefined ? {} : { examples: example(body) }) }
  }
})

const sharedResponses = (operations: ReadonlyArray<Operation>, of: DocumentOf): JsonObject => {
  const shared: JsonObject = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = sharedNames[status]
      if (name !== undefined) {
        shared[name] ??= failure(response, of.headersOf(status), of.errorExamples[Number(status)])
      }
    }
  }
  return shared
}

/** Returns the contract's annotations of each operation, by the operation's name in the document. */
export const declaredIn = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Annotations> => {
  const found = new Map<string, Annotations>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations } }) => {
      found.set(Option.getOrThrow(Context.getOption(annotations, OpenApi.Identifier)), annotations)
    }
  })
  return found
}

/** Completes a generated operation in place with examples, errors and headers. */
const complete = (operation: Operation, annotations: Annotations, shared: JsonObject, of: DocumentOf): void => {
  const { errors: own, request, response: returned } = Option.getOrThrow(Context.getOption(annotations, Examples))
  // The generator writes parameters in full; references replace them later.
  const generated = operation.parameters as Array<Parameter>
  const headersOfResponse = (status: string) => of.headersOf(status, { ...operation, parameters: generated })
  const headers = headersOfResponse("200")
  operation.parameters = generated.map((parameter) => of.parameterOf(parameter, annotations))
  operation.security = of.securityOf(operation.security, annotations)
  const body = operation["requestBody"]
  if (body !== undefined && request !== undefined) {
    for (const content of Object.values(objectOf(objectOf(body)["content"])))
      objectOf(content)["examples"] = example(request)
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    const name = sharedNames[status]
    const error = own?.[Number(status)] ?? of.errorExamples[Number(status)]
    if (status === "200") {
      response["headers"] = headers
      objectOf(objectOf(response["content"])[json])["examples"] = example(returned)
    } else if (name !== undefined && shared[name] !== undefined && own?.[Number(status)] === undefined) {
      operation.responses[status] = refer("responses", name)
    } else operation.responses[status] = failure(response, of.headersOf(status), error)
  }
}

/** Returns the document of a contract, without servers and headers. */
export const documentOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  of: DocumentOf
) => {
  // The generated document is plain JSON; its type has no index signature.
  const raw = OpenApi.fromApi(api) as unknown as JsonObject
  const document = deduplicated(objectOf(mapObjects(raw, flattened)))
  const { components: _, paths, security: __, ...rest } = document
  const { schemas, securitySchemes } = componentsOf(document)
  const operations = operationsIn(document)
  const shared = sharedResponses(operations, of)
  // The parameters are still in full, as in `complete`.
  const parameters = operations.flatMap((operation) => operation.parameters) as ReadonlyArray<Parameter>
  const declared = declaredIn(api)
  // Both maps come from the same contract.
  for (const operation of operations) complete(operation, declared.get(operation.operationId)!, shared, of)
  const sent = reachable([...operations.map(({ responses }) => responses), shared, ...of.alsoSent], schemas)
  return {
    rest,
    paths: objectOf(paths),
    /** The parameters as the generator wrote them. */
    parameters,
    components: { schemas: opened(schemas, sent), responses: shared, securitySchemes }
  }
}
