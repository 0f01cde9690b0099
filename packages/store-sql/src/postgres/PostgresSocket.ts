/**
 * The socket of a connection to PostgreSQL, closed when the server falls silent.
 *
 * **Details**
 *
 * A server that hangs keeps its connections open, and TCP notices only a machine that is gone. A connection on which no byte
 * has passed for the given time is closed, whether a statement waits on it or it is unused: the driver fails the
 * statement, and its pool opens another connection when one is needed.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import { connect, type Socket } from "node:net"

/** Idle time before the system asks whether the other machine is still there, in milliseconds. */
const keepAliveAfter = 30_000

/** The longest time that a timer takes, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/**
 * A socket that connects to the server.
 *
 * @category constructors
 * @since 0.1.0
 */
export const open = (address: PostgresAddress, silence: Duration.Duration): Socket => {
  const socket = connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveAfter })
  // With TLS the driver listens elsewhere, and an error without a listener ends the process.
  socket.on("error", () => {})
  if (!Duration.isFinite(silence)) return socket
  socket.setTimeout(Math.min(Duration.toMillis(silence), longestTimer))
  // Each time: a listener that is given with the time is called once, and this connection was then waited for without end.
  socket.on("timeout", () => {
    const { bytesRead } = socket
    // What came while this process stood still is there, and only has to be read.
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
 * The address of a URL that the driver has accepted. `?host=` and `?port=` stand before what the URL says in its place,
 * and a host that begins with a slash is the folder of a socket.
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
 * The address in a message.
 *
 * @category conversions
 * @since 0.1.0
 */
export const addressText = (address: PostgresAddress): string => {
  if ("path" in address) return address.path
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`
}
