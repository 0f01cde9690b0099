/**
 * A response where Node has made no object for it: to what is no request, or to a tunnel.
 *
 * @since 0.1.0
 */
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

/**
 * Sends JSON as the last response of the connection, and closes it.
 *
 * @category responses
 * @since 0.1.0
 */
export const respondRaw = (
  socket: Duplex,
  status: number,
  json: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(json)}`,
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  ]
  socket.end(`${lines.join("\r\n")}\r\n\r\n${json}`)
}
