/**
 * Error nodes that Node's server sends itself, for what never reaches the service.
 *
 * @since 0.1.0
 */
import { type Language, translated } from "@parcela/core/language/Translation"
import { type ApiError, errorNodeOf } from "@parcela/transport/ApiError"
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"

/**
 * An error node as it is sent.
 *
 * @category responses
 * @since 0.1.0
 */
export const jsonOf = (error: ApiError, language: Language): string => {
  const { error: node } = errorNodeOf(error).body
  return JSON.stringify({ error: { ...node, message: translated(node.message, language) } })
}

/**
 * Sends an error node, as `jsonOf` writes it, as the response.
 *
 * @category responses
 * @since 0.1.0
 */
export const respond = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders = {}
): void => {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers
  })
  response.end(body)
}
