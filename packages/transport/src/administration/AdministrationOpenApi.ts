/**
 * The OpenAPI 3.1 document of a service's administration.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorNode"
import type { JsonObject } from "../internal/openApiNodes.ts"
import { tokenOpenApi } from "../internal/tokenOpenApi.ts"
import { AdministrationOperations } from "./AdministrationContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface AdministrationOpenApiOptions {
  /** The base address of the administration: `http://127.0.0.1:8026/admin`. */
  readonly baseUrl: string
  /** Whether every request needs the operator token. */
  readonly hasToken: boolean
}

/** An error of each status code. */
const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: {
    error: {
      message: "a subscription that is canceled cannot stop",
      details: { "Subscription.status": ["a subscription that is canceled cannot stop"] }
    }
  },
  401: {
    error: { message: "Send Authorization: Bearer with the operator token of this service (PARCELA_OPERATOR_TOKEN)" }
  },
  403: {
    error: { message: "The administration is for programs on this machine that call it directly, not through a proxy" }
  },
  404: { error: { message: 'There is no company with the client id "nobody"' } },
  413: { error: { message: "The body is larger than 1 MiB, which is the most that is read" } },
  415: { error: { message: "Send application/json, not text/plain" } },
  429: { error: { message: "Too many wrong secrets were tried for this client id: wait before you try again" } },
  500: { error: { message: "The service failed; the fault is ours and has been reported" } },
  503: { error: { message: "The service cannot use its store at the moment: try again" } },
  504: {
    error: {
      message: "The outcome is not known yet, and the money may have moved: repeat the request to get the outcome"
    }
  }
}

/**
 * The document of the administration at `baseUrl`. Its paths are relative to that address.
 *
 * @category constructors
 * @since 0.1.0
 */
export const administrationOpenApi = ({ baseUrl, hasToken }: AdministrationOpenApiOptions): JsonObject =>
  tokenOpenApi(AdministrationOperations, {
    errorExamples,
    server: { url: baseUrl, description: "This service" },
    token: hasToken ? { scheme: "operatorToken", description: "The value of PARCELA_OPERATOR_TOKEN." } : undefined
  })
