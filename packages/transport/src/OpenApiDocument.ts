/**
 * The OpenAPI 3.1 document of a server: what is generated from the contract, and what a generator cannot know: where the
 * server is, its headers, an example of everything, and how it names things.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import type { Scope } from "@parcela/core/companies/Scope"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import * as Option from "effect/Option"
import * as OpenApi from "effect/http-api/OpenApi"
import { operationExamples, Operations } from "./Contract.ts"
import { errorExamples } from "./contract/ErrorExamples.ts"
import { QueryParameters } from "./contract/Operation.ts"
import {
  deduplicated,
  flattened,
  type JsonObject,
  mapObjects,
  opened,
  reachable,
  renamed
} from "./internal/openApiNodes.ts"
import { webhookSection } from "./internal/openApiWebhooks.ts"
import { RequiredScope } from "./Security.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface OpenApiOptions {
  /** The base address of the server, version segment included: `http://127.0.0.1:8026/v2`. */
  readonly baseUrl: string
  /** How the server names things; default the interface's own names. */
  readonly naming?: NamingProfile
}

/**
 * The document of the server at `baseUrl`. Its paths are relative to that address, as the interface's are.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openApiDocument = ({ baseUrl, naming = svcPay }: OpenApiOptions): JsonObject => {
  const named =
    naming.name === svcPay.name
      ? inOwnNames()
      : (renamed(withWholeScope(inOwnNames()), naming.toWireSentence) as JsonObject)
  const { components, info, openapi, ...rest } = named
  return {
    openapi: openapi!,
    info: info!,
    servers: [{ url: baseUrl, description: "This server" }],
    ...rest,
    components: {
      ...(components as JsonObject),
      securitySchemes: { ...(components as Components).securitySchemes, oauth2: oauth2(`${baseUrl}/token`) }
    }
  }
}

interface Components extends JsonObject {
  schemas: JsonObject
  securitySchemes: JsonObject
}

interface Parameter extends JsonObject {
  name: string
  schema: JsonObject
}

interface Operation extends JsonObject {
  operationId: string
  parameters: Array<Parameter | Reference>
  security: Array<JsonObject>
  responses: { [status: string]: JsonObject }
}

type Reference = { $ref: string }

/** Services of other names send the scopes of a token whole; the interface's own 255 characters do not hold them all. */
const withWholeScope = (document: JsonObject): JsonObject =>
  mapObjects(document, (object) => {
    const { scope } = object as { scope?: JsonObject }
    if (!("access_token" in object) || scope?.["maxLength"] !== 255) return object
    const { maxLength: _, ...whole } = scope
    return { ...object, scope: whole }
  }) as JsonObject

/** The document in the interface's names, without the address of a server. */
const inOwnNames = (): JsonObject => {
  // The generated document is plain JSON; its type has no index signature.
  const raw = OpenApi.fromApi(Operations) as unknown as JsonObject
  const generated = deduplicated(mapObjects(raw, flattened) as JsonObject)
  const { components, paths, security: _, ...rest } = generated
  const { schemas, securitySchemes } = components as Components
  const operations = Object.values(paths as JsonObject).flatMap((item) =>
    Object.values(item as JsonObject)
  ) as Array<Operation>
  const shared = sharedResponses(operations)
  const IdempotencyKey = idempotencyKey(operations)
  for (const operation of operations) complete(operation, shared)
  const sent = reachable([...operations.map(({ responses }) => responses), shared, webhookSection], schemas)
  return {
    ...rest,
    paths: paths!,
    webhooks: webhookSection,
    components: {
      schemas: opened(schemas, sent),
      responses: shared,
      parameters: { IdempotencyKey },
      headers,
      securitySchemes
    }
  }
}

const json = "application/json"

const refer = (kind: string, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

const example = (value: unknown): JsonObject => ({ default: { value: value as JsonObject } })

/** The headers that responses carry. */
const headers: JsonObject = {
  RequestId: {
    description: "Identifier of this request, for support and logs.",
    schema: { type: "string", examples: ["01M2Z3V5C8"] }
  },
  RetryAfter: {
    description: "In how many seconds it makes sense to try again.",
    schema: { type: "integer", minimum: 0, examples: [2] }
  },
  WwwAuthenticate: {
    description: "How to prove who is asking (RFC 9110, section 11.6.1).",
    schema: { type: "string", examples: ["Bearer"] }
  },
  IdempotentReplayed: {
    description: "True when the response is the stored one of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] }
  }
}

const headersOf = (status: string, isWrite: boolean): JsonObject => ({
  "X-Request-Id": refer("headers", "RequestId"),
  ...(status === "401" ? { "WWW-Authenticate": refer("headers", "WwwAuthenticate") } : {}),
  ...(status === "429" || status === "503" ? { "Retry-After": refer("headers", "RetryAfter") } : {}),
  ...(status === "200" && isWrite ? { "Idempotent-Replayed": refer("headers", "IdempotentReplayed") } : {})
})

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

const failure = (response: JsonObject, status: string, body: ErrorNode | undefined): JsonObject => ({
  description: response["description"]!,
  headers: headersOf(status, false),
  content: {
    [json]: { schema: refer("schemas", "ErrorNode"), ...(body === undefined ? {} : { examples: example(body) }) }
  }
})

const sharedResponses = (operations: ReadonlyArray<Operation>): JsonObject => {
  const shared: JsonObject = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const name = sharedNames[status]
      if (name !== undefined) shared[name] ??= failure(response, status, errorExamples[Number(status)])
    }
  }
  return shared
}

/** Changes a generated operation into what the document shows. */
const complete = (operation: Operation, shared: JsonObject): void => {
  const { operationId } = operation
  const { errors: own, request, response: returned } = operationExamples.get(operationId)!
  const scope = declared.get(operationId)?.scope
  const isWrite = operation.parameters.some((parameter) => "name" in parameter && parameter.name === keyHeader)
  operation.parameters = operation.parameters.map((parameter) => shownParameter(parameter as Parameter, operationId))
  const content = (operation["requestBody"] as { content?: JsonObject } | undefined)?.content ?? {}
  for (const body of Object.values(content)) {
    if (request !== undefined) (body as JsonObject)["examples"] = example(request)
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    const name = sharedNames[status]
    const body = own?.[Number(status)] ?? errorExamples[Number(status)]
    if (status === "200") {
      response["headers"] = headersOf(status, isWrite)
      ;((response["content"] as JsonObject)[json] as JsonObject)["examples"] = example(returned)
    } else if (name !== undefined && shared[name] !== undefined && own?.[Number(status)] === undefined) {
      operation.responses[status] = refer("responses", name)
    } else operation.responses[status] = failure(response, status, body)
  }
  if (scope !== undefined) operation.security.push({ oauth2: [scope] })
}

const keyHeader = "idempotency-key"

/** The generator describes a parameter's schema, and readers look at the parameter. */
const described = (parameter: Parameter): Parameter => {
  const { description, ...schema } = parameter.schema
  return description === undefined ? parameter : { ...parameter, description, schema }
}

const shownParameter = (parameter: Parameter, operationId: string): Parameter | Reference => {
  if (parameter.name === keyHeader) return refer("parameters", "IdempotencyKey")
  return {
    ...described(parameter),
    ...(declared.get(operationId)?.parameters?.[parameter.name] as JsonObject | undefined)
  }
}

/** The header as the generated operations have it, in its usual spelling. */
const idempotencyKey = (operations: ReadonlyArray<Operation>): JsonObject => {
  const [found] = operations.flatMap(({ parameters }) =>
    parameters.filter((parameter) => "name" in parameter && parameter["name"] === keyHeader)
  ) as ReadonlyArray<Parameter>
  return { ...described(found!), name: "Idempotency-Key" }
}

interface Declared {
  readonly parameters: { readonly [name: string]: object } | undefined
  readonly scope: Scope | undefined
}

/** What the contract says of each operation, by its name in the document. */
const declared: ReadonlyMap<string, Declared> = (() => {
  const found = new Map<string, Declared>()
  HttpApi.reflect(Operations, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations } }) => {
      found.set(Option.getOrThrow(Context.getOption(annotations, OpenApi.Identifier)), {
        parameters: Context.getOrUndefined(annotations, QueryParameters),
        scope: Context.getOrUndefined(annotations, RequiredScope)
      })
    }
  })
  return found
})()

const oauth2 = (tokenUrl: string): JsonObject => ({
  type: "oauth2",
  description: "The same token as bearerToken, for clients that obtain it by themselves.",
  flows: {
    clientCredentials: {
      tokenUrl,
      scopes: Object.fromEntries(
        [...declared.values()]
          .flatMap(({ scope }) => (scope === undefined ? [] : [scope]))
          .sort()
          .map((scope) => [scope, `Operations that need ${scope}`])
      )
    }
  }
})
