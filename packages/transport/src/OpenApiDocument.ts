/**
 * The OpenAPI 3.1 document of a server. Most of it is generated from the contract. This module adds the server's URL,
 * headers, examples and naming profile.
 *
 * @since 0.1.0
 */
import { maxItemsOfOtherNaming } from "@parcela/core/lists/ListDefinition"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import * as Context from "effect/Context"
import { Operations } from "./Contract.ts"
import { errorExamples } from "./contract/Examples.ts"
import { ClosedBody, QueryParameters } from "./contract/Operation.ts"
import {
  isObject,
  type JsonObject,
  mapObjects,
  nullableTexts,
  objectOf,
  reachable,
  renamed,
  withNullTextsAlone,
  withOnePathEach
} from "./internal/openApiNodes.ts"
import {
  type Annotations,
  componentsOf,
  declaredIn,
  described,
  documentOf,
  type Operation,
  operationsIn,
  type Parameter,
  refer,
  type Reference
} from "./internal/openApiOperations.ts"
import { webhookSection } from "./internal/openApiWebhooks.ts"
import { RequiredScope } from "./Security.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface OpenApiOptions {
  /** The base address of the server, version segment included: `http://127.0.0.1:8026/v2`. */
  readonly baseUrl: string
  /** The naming profile of the server; the interface's own names by default. */
  readonly naming?: NamingProfile
  /** True if a customer's document may be a CNPJ with letters; false by default. */
  readonly documentsWithLetters?: boolean
  /** True if unknown keys of bodies are ignored, except in closed bodies; by default they are refused. */
  readonly ignoresUnknownKeys?: boolean
}

/**
 * Returns the document of the server at `baseUrl`. Its paths are relative to that URL, as the interface's are.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openApiDocument = ({
  baseUrl,
  documentsWithLetters = false,
  ignoresUnknownKeys = false,
  naming = svcPay
}: OpenApiOptions): JsonObject => {
  const closed = documentsWithLetters ? withLetters(inOwnNames()) : inOwnNames()
  const own = ignoresUnknownKeys ? withUnknownKeys(closed) : closed
  const named =
    naming.name === svcPay.name
      ? own
      : objectOf(renamed(withLongPages(withNulls(withMadeMyIds(withWholeScope(own)))), naming.toWireSentence))
  const { info, openapi, ...rest } = named
  const components = componentsOf(named)
  return {
    openapi: openapi ?? "",
    info: objectOf(info),
    servers: [{ url: baseUrl, description: "This server" }],
    ...rest,
    components: {
      ...components,
      securitySchemes: { ...components.securitySchemes, oauth2: oauth2(`${baseUrl}/token`) }
    }
  }
}

const digitsOnly = { pattern: "^(\\d{11}|\\d{14})$", words: "digits only: CPF (11 digits) or CNPJ (14 digits)" }
const orLetters = {
  pattern: "^(\\d{11}|[A-Z0-9]{12}\\d{2})$",
  words: "without punctuation: CPF (11 digits) or CNPJ (12 digits or capital letters and 2 digits)"
}

/** Allows CNPJs with letters (IN RFB 2.229/2024), while the interface allows digits only. */
const withLetters = (document: JsonObject): JsonObject =>
  objectOf(
    mapObjects(document, (object) => {
      const { description, pattern } = object
      return pattern === digitsOnly.pattern && typeof description === "string"
        ? { ...object, pattern: orLetters.pattern, description: description.replace(digitsOnly.words, orLetters.words) }
        : object
    })
  )

/** Removes `additionalProperties` from the schemas of bodies whose unknown keys are ignored. */
const withUnknownKeys = (document: JsonObject): JsonObject => {
  const { schemas, ...components } = componentsOf(document)
  const declared = declaredIn(Operations)
  const bodiesOf = (isClosed: boolean) =>
    reachable(
      operationsIn(document).flatMap(({ operationId, requestBody }) => {
        const annotations = declared.get(operationId)
        const isOwn = annotations !== undefined && Context.get(annotations, ClosedBody)
        return requestBody === undefined || isOwn !== isClosed ? [] : [requestBody]
      }),
      schemas
    )
  const closed = bodiesOf(true)
  const open = new Set([...bodiesOf(false)].filter((name) => !closed.has(name)))
  const opened = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).filter(
        ([key, value]) => !((key === "additionalProperties" || key === "unevaluatedProperties") && value === false)
      )
    )
  const named = Object.entries(schemas).map(([name, schema]) => [
    name,
    open.has(name) ? mapObjects(schema, opened) : schema
  ])
  return { ...document, components: { ...components, schemas: Object.fromEntries(named) } }
}

/**
 * Removes the limit of 255 characters from the scope of a token. Other naming profiles return all scopes, which need
 * more.
 */
const withWholeScope = (document: JsonObject): JsonObject =>
  objectOf(
    mapObjects(document, (object) => {
      const { scope } = object
      if (!("access_token" in object) || !isObject(scope) || scope["maxLength"] !== 255) return object
      const { maxLength: _, ...whole } = scope
      return { ...object, scope: whole }
    })
  )

/** Raises the largest `limit` of lists to that of other naming profiles. */
const withLongPages = (document: JsonObject): JsonObject =>
  objectOf(
    mapObjects(document, (object) =>
      object["name"] === "limit" && object["in"] === "query"
        ? { ...object, schema: { ...objectOf(object["schema"]), maximum: maxItemsOfOtherNaming } }
        : object
    )
  )

/** Makes `myId` optional in requests of other naming profiles, where the server creates a missing one. */
const withMadeMyIds = (document: JsonObject): JsonObject => {
  const { schemas, ...components } = componentsOf(document)
  const bodies = reachable(
    operationsIn(document).map((operation) => operation["requestBody"] ?? {}),
    {}
  )
  const named = Object.entries(schemas).map(([name, schema]) => [
    name,
    bodies.has(name) ? withMadeMyId(objectOf(schema)) : schema
  ])
  return { ...document, components: { ...components, schemas: Object.fromEntries(named) } }
}

const withMadeMyId = (schema: JsonObject): JsonObject => {
  const { properties, required } = schema
  if (!Array.isArray(required) || !required.includes("myId")) return schema
  const { myId } = objectOf(properties)
  const { description } = objectOf(myId)
  return {
    ...schema,
    properties: {
      ...objectOf(properties),
      myId: { ...objectOf(myId), description: `${String(description)} Generated if omitted.` }
    },
    required: required.filter((name) => name !== "myId")
  }
}

/** Makes texts without a value null for other naming profiles; see `nullFieldsOf` of core. */
const withNulls = (document: JsonObject): JsonObject => {
  const { schemas, ...components } = componentsOf(document)
  const responses = operationsIn(document).map((operation) => operation.responses["200"] ?? {})
  const written = reachable([...responses, document["webhooks"] ?? {}], schemas)
  const named = Object.entries(schemas).map(([name, schema]) => [
    name,
    written.has(name) ? mapObjects(name === "Boleto" ? withPdfAlone(schema) : schema, nullableTexts(schemas)) : schema
  ])
  const shown = mapObjects(document, (object) =>
    object["examples"] === undefined ? object : { ...object, examples: withNullTextsAlone(object["examples"], schemas) }
  )
  return { ...objectOf(shown), components: { ...components, schemas: Object.fromEntries(named) } }
}

/** Requires only the `pdf` of a boleto, which a Pix has too under other naming profiles. */
const withPdfAlone = (schema: JsonObject[string]): JsonObject => ({ ...objectOf(schema), required: ["pdf"] })

/** Returns the document in the interface's names, without a server URL. */
const inOwnNames = (): JsonObject => {
  const { components, parameters, paths, rest } = documentOf(Operations, {
    errorExamples,
    headersOf,
    parameterOf: shownParameter,
    securityOf: (security, annotations) => {
      const scope = Context.getOrUndefined(annotations, RequiredScope)
      return scope === undefined ? security : [...security, { oauth2: [scope] }]
    },
    alsoSent: [webhookSection]
  })
  return {
    ...rest,
    paths: withOnePathEach(paths),
    webhooks: webhookSection,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      parameters: { IdempotencyKey: idempotencyKey(parameters) },
      headers,
      securitySchemes: components.securitySchemes
    }
  }
}

/** The headers of responses. */
const headers: JsonObject = {
  RequestId: {
    description: "Identifier of this request, for support and logs.",
    schema: { type: "string", examples: ["01M2Z3V5C8"] }
  },
  RetryAfter: {
    description: "Seconds to wait before a retry.",
    schema: { type: "integer", minimum: 0, examples: [2] }
  },
  WwwAuthenticate: {
    description: "Authentication scheme that the server accepts (RFC 9110, section 11.6.1).",
    schema: { type: "string", examples: ["Bearer"] }
  },
  IdempotentReplayed: {
    description: "True when the response is the stored one of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] }
  }
}

const headersOf = (status: string, operation?: Operation): JsonObject => ({
  "X-Request-Id": refer("headers", "RequestId"),
  ...(status === "401" ? { "WWW-Authenticate": refer("headers", "WwwAuthenticate") } : {}),
  ...(status === "429" || status === "503" ? { "Retry-After": refer("headers", "RetryAfter") } : {}),
  ...(status === "200" && isWrite(operation) ? { "Idempotent-Replayed": refer("headers", "IdempotentReplayed") } : {})
})

const keyHeader = "idempotency-key"

const isWrite = (operation: Operation | undefined): boolean =>
  operation?.parameters.some((parameter) => "name" in parameter && parameter.name === keyHeader) === true

const shownParameter = (parameter: Parameter, annotations: Annotations): Parameter | Reference => {
  if (parameter.name === keyHeader) return refer("parameters", "IdempotencyKey")
  return {
    ...described(parameter),
    // The list's definition describes its parameters.
    ...(Context.getOrUndefined(annotations, QueryParameters)?.()[parameter.name] as JsonObject | undefined)
  }
}

/** Returns the parameter of the generated operations, with the header's usual spelling. */
const idempotencyKey = (parameters: ReadonlyArray<Parameter>): JsonObject => ({
  // Every contract with writes has this header.
  ...described(parameters.find(({ name }) => name === keyHeader)!),
  name: "Idempotency-Key"
})

const oauth2 = (tokenUrl: string): JsonObject => ({
  type: "oauth2",
  description: "The same token as bearerToken, for clients that obtain it by themselves.",
  flows: {
    clientCredentials: {
      tokenUrl,
      scopes: Object.fromEntries(
        [...declaredIn(Operations).values()]
          .flatMap((annotations) => Context.getOrUndefined(annotations, RequiredScope) ?? [])
          .sort()
          .map((scope) => [scope, `Operations that need ${scope}`])
      )
    }
  }
})
