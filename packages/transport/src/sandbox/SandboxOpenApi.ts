/**
 * The OpenAPI 3.1 document of the sandbox's controls.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import { type JsonObject, objectOf } from "../internal/openApiNodes.ts"
import { described, documentOf, type Parameter, refer } from "../internal/openApiOperations.ts"
import { SandboxOperations } from "./SandboxContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SandboxOpenApiOptions {
  /** The base address of the controls: `http://127.0.0.1:8026/sandbox`. */
  readonly baseUrl: string
  /** Whether every request needs the controls token. */
  readonly hasToken: boolean
}

/** A control's error of each status code. */
const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: {
    error: { message: "The request has a fault", details: { "Company.clientId": ['"sandbox" is in use already'] } }
  },
  401: {
    error: {
      message: "Send Authorization: Bearer with the controls token of this sandbox (PARCELA_CONTROLS_TOKEN)"
    }
  },
  403: {
    error: {
      message: "The sandbox's controls are for programs on this machine that call it directly, not through a proxy"
    }
  },
  404: { error: { message: 'The sandbox has no company with the client id "nobody"' } },
  409: { error: { message: "Another advance of this company is under way: wait until it has ended" } },
  413: { error: { message: "The body is larger than 1 MiB, which is the most that is read" } },
  415: { error: { message: "Send application/json, not text/plain" } },
  500: { error: { message: "The service failed; the fault is ours and has been reported" } },
  503: { error: { message: "The service cannot use its store at the moment: try again" } }
}

const headers: JsonObject = {
  RequestId: {
    description: "Identifier of this request, for the log.",
    schema: { type: "string", examples: ["01M2Z3V5C8"] }
  }
}

const scheme = "controlsToken"

/** A number is written in an address as text; the document says that it is a number, and not what its text looks like. */
const withNumber = (parameter: Parameter): Parameter => {
  const shown = described(parameter)
  const pattern = shown.schema["pattern"]
  return typeof pattern === "string" && pattern.startsWith("^[+-]?") ? { ...shown, schema: { type: "number" } } : shown
}

/**
 * The document of the controls at `baseUrl`. Its paths are relative to that address.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sandboxOpenApi = ({ baseUrl, hasToken }: SandboxOpenApiOptions): JsonObject => {
  const { components, paths, rest } = documentOf(SandboxOperations, {
    errorExamples,
    headersOf: () => ({ "X-Request-Id": refer("headers", "RequestId") }),
    parameterOf: withNumber,
    securityOf: () => (hasToken ? [{ [scheme]: [] }] : []),
    alsoSent: []
  })
  const { info, openapi, ...others } = rest
  return {
    openapi: openapi ?? "",
    info: objectOf(info),
    servers: [{ url: baseUrl, description: "This sandbox" }],
    ...others,
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers,
      ...(hasToken
        ? {
            securitySchemes: {
              [scheme]: { type: "http", scheme: "bearer", description: "The value of PARCELA_CONTROLS_TOKEN." }
            }
          }
        : {})
    }
  }
}
