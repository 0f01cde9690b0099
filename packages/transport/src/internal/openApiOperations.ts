/**
 * The operations of a contract as an OpenAPI document shows them: what is generated, with the examples that the contract
 * declares, and errors that are the same for many operations once.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
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

/** What is one document's own. */
export interface DocumentOf {
  readonly errorExamples: { readonly [status: number]: ErrorNode }
  /** The headers of the responses of an operation. */
  readonly headersOf: (status: string, operation?: Operation) => JsonObject
  readonly parameterOf: (parameter: Parameter, annotations: Annotations) => Parameter | Reference
  readonly securityOf: (security: Array<JsonObject>, annotations: Annotations) => Array<JsonObject>
  /** What is sent to clients beside responses. */
  readonly alsoSent: ReadonlyArray<Json>
}

const json = "application/json"

export const refer = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

// An example is what a request or a response holds, which is JSON.
const example = (value: unknown): JsonObject => ({ default: { value: value as Json } })

/** The components of a document, by their kinds. */
export const componentsOf = (document: JsonObject): Components => {
  const components = objectOf(document["components"])
  const { schemas, securitySchemes } = components
  return { ...components, schemas: objectOf(schemas), securitySchemes: objectOf(securitySchemes) }
}

/** The operations of a document, themselves and not copies. */
export const operationsIn = (document: JsonObject): ReadonlyArray<Operation> =>
  Object.values(objectOf(document["paths"])).flatMap((path) =>
    // The generator writes nothing below a path but operations, and all of these fields.
    Object.values(objectOf(path)).map((operation) => objectOf(operation) as Operation)
  )

/** The generator describes a parameter's schema, and readers look at the parameter. */
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

/** What the contract says of each operation, by its name in the document. */
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

/** Changes a generated operation into what the document shows. */
const complete = (operation: Operation, annotations: Annotations, shared: JsonObject, of: DocumentOf): void => {
  const { errors: own, request, response: returned } = Option.getOrThrow(Context.getOption(annotations, Examples))
  // The generator writes them whole, and none is replaced by a reference until here.
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

/** The document of a contract, without servers and headers. */
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
  // As in `complete`: they are whole until then.
  const parameters = operations.flatMap((operation) => operation.parameters) as ReadonlyArray<Parameter>
  const declared = declaredIn(api)
  // Both come from the same contract.
  for (const operation of operations) complete(operation, declared.get(operation.operationId)!, shared, of)
  const sent = reachable([...operations.map(({ responses }) => responses), shared, ...of.alsoSent], schemas)
  return {
    rest,
    paths: objectOf(paths),
    /** As they were generated. */
    parameters,
    components: { schemas: opened(schemas, sent), responses: shared, securitySchemes }
  }
}
