/**
 * The OpenAPI 3.1 document of a service's administration.
 *
 * @since 0.1.0
 */
import type { ErrorNode } from "@parcela/core/errors/ErrorDetails"
import type { JsonObject } from "../internal/openApiNodes.ts"
import { tokenOpenApi } from "../internal/tokenOpenApi.ts"
import { AdministrationOperations } from "./AdministrationContract.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface AdministrationOpenApiOptions {
  /** The base URL of the administration: `http://127.0.0.1:8026/admin`. */
  readonly baseUrl: string
  /** True if every request needs the operator token. */
  readonly hasToken: boolean
}

/** Errors with messages of this contract. */
const errorExamples: { readonly [status: number]: ErrorNode } = {
  400: {
    error: {
      message: 'a subscription that is canceled does not allow "stop"',
      details: { "Subscription.status": ['a subscription that is canceled does not allow "stop"'] }
    }
  },
  401: {
    error: { message: "Send Authorization: Bearer with the operator token of this service (PARCELA_OPERATOR_TOKEN)" }
  },
  403: {
    error: { message: "The administration is for programs on this machine that call it directly, not through a proxy" }
  },
  404: { error: { message: 'There is no company with the client id "nobody"' } }
}

/**
 * Returns the document of the administration at `baseUrl`. Its paths are relative to that URL.
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
