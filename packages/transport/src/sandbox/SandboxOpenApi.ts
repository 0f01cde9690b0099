/**
 * The OpenAPI 3.1 document of the sandbox's controls.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import { type NamingProfile, svcPay } from "@parcela/core/json/NamingProfile"
import { type JsonObject, objectOf, renamed } from "../internal/openApiNodes.ts"
import { tokenOpenApi } from "../internal/tokenOpenApi.ts"
import { SandboxOperations } from "./SandboxContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface SandboxOpenApiOptions {
  /** The base URL of the controls: `http://127.0.0.1:8026/sandbox`. */
  readonly baseUrl: string
  /** True if every request needs the controls token. */
  readonly hasToken: boolean
  /** The naming profile of the fixtures' fields; the interface's own names by default. */
  readonly naming?: NamingProfile
}

/** An example error of a control for each status code. */
const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: {
    error: { message: "The request is invalid", details: { "Company.clientId": ['"sandbox" is already in use'] } }
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
  409: { error: { message: "Another advance of this company is under way: wait until it has ended" } }
}

/**
 * Returns the document of the controls at `baseUrl`. Its paths are relative to that URL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sandboxOpenApi = ({ baseUrl, hasToken, naming = svcPay }: SandboxOpenApiOptions): JsonObject => {
  const { servers = [], ...document } = tokenOpenApi(SandboxOperations, {
    errorExamples,
    server: { url: baseUrl, description: "This sandbox" },
    token: hasToken ? { scheme: "controlsToken", description: "The value of PARCELA_CONTROLS_TOKEN." } : undefined
  })
  return { ...objectOf(renamed(document, naming.toWireSentence)), servers }
}
