/**
 * Error nodes that Node's server sends itself, for what never reaches the service.
 *
 * @since 0.1.0
 */
import { type ApiError, errorNodeOf } from "@parcela/transport/ApiError"
import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

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
  const body = JSON.stringify(errorNodeOf(error).body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers
  })
  response.end(body)
}

/**
 * Sends an error node where Node made no response object, and closes the connection.
 *
 * @category responses
 * @since 0.1.0
 */
export const respondRaw = (
  socket: Duplex,
  status: number,
  error: ApiError,
  headers: Readonly<Record<string, string>> = {}
): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorNodeOf(error).body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  ]
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`)
}
