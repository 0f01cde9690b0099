/**
 * Error nodes that Node's server sends itself, for what never reaches the service.
 *
 * @since 0.1.0
 */
import { type ApiError, errorNodeOf } from "@parcela/transport/ApiError"
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"

/**
 * An error node as it is sent.
 *
 * @category responses
 * @since 0.1.0
 */
export const jsonOf = (error: ApiError): string => JSON.stringify(errorNodeOf(error).body)

/**
 * Sends an error node as the response.
 *
 * @category responses
 * @since 0.1.0
 */
export const respond = (
  response: ServerResponse,
  status: number,
  error: ApiError,
  headers: OutgoingHttpHeaders = {}
): void => {
  const body = jsonOf(error)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers
  })
  response.end(body)
}
