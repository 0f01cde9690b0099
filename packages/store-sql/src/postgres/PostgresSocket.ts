/**
 * The socket of a connection to PostgreSQL, which closes when the server is silent.
 *
 * **Details**
 *
 * A hanging server keeps its connections open, and TCP detects only a failed machine. A connection without traffic for the given time is
 * closed, whether a statement waits on it or it is idle. The driver fails the statement, and its pool opens a new connection on demand.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { connect, type Socket } from "node:net"

/** The idle time before TCP probes the other machine, in milliseconds. */
const keepAliveAfter = 30_000

/** The longest time of a timer, in milliseconds. */
const maxTimer = 2 ** 31 - 1

/**
 * A socket that connects to the server.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = (address: PostgresAddress, silence: Duration.Duration): Socket => {
  const socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveAfter })
  // With TLS the driver listens on another socket, and an error without a listener ends the process.
  socket.on("error", () => {})
  if (!Duration.isFinite(silence)) return socket
  socket.setTimeout(Math.min(Duration.toMillis(silence), maxTimer))
  // A listener given to `setTimeout` would be called only once.
  socket.on("timeout", () => {
    const { bytesRead } = socket
    // While this process was suspended, bytes may have arrived that are not read yet.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy(new Error(`no reply within ${Duration.format(silence)}`))
    })
  })
  return socket
}

/**
 * @category models
 * @since 0.1.0
 */
export type PostgresAddress =
  | { readonly host: string; readonly port: number }
  /** A socket in the file system. */
  | { readonly path: string }

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1")

/**
 * The address in a URL that the driver has accepted. `?host=` and `?port=` override the host and port of the URL. A host that starts with a
 * slash is the folder of a socket.
 *
 * @category conversions
 * @since 0.1.0
 */
export const addressOf = (url: string): PostgresAddress => {
  const { hostname, port: named, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? decodeURIComponent(withoutBrackets(hostname))
  const port = Number(searchParams.get("port") ?? (named === "" ? 5432 : named))
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host: host === "" ? "localhost" : host, port }
}

/**
 * The address for a message.
 *
 * @category conversions
 * @since 0.1.0
 */
export const addressText = (address: PostgresAddress): string => {
  if ("path" in address) return address.path
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`
}
