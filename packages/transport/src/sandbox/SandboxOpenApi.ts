/**
 * The OpenAPI 3.1 document of the sandbox's controls.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import type { JsonObject } from "../internal/openApiNodes.ts"
import { tokenOpenApi } from "../internal/tokenOpenApi.ts"
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
  429: { error: { message: "Too many wrong secrets were tried for this client id: wait before you try again" } },
  503: { error: { message: "The service cannot use its store at the moment: try again" } },
  504: {
    error: {
      message: "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome"
    }
  }
}

/**
 * The document of the controls at `baseUrl`. Its paths are relative to that address.
 *
 * @category constructors
 * @since 0.1.0
 */
export const sandboxOpenApi = ({ baseUrl, hasToken }: SandboxOpenApiOptions): JsonObject =>
  tokenOpenApi(SandboxOperations, {
    errorExamples,
    server: { url: baseUrl, description: "This sandbox" },
    token: hasToken ? { scheme: "controlsToken", description: "The value of PARCELA_CONTROLS_TOKEN." } : undefined
  })
