/**
 * Where the server of a PostgreSQL URL listens, as the driver reads the URL.
 *
 * @since 0.1.0
 */

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
export const shown = (address: PostgresAddress): string => {
  if ("path" in address) return address.path
  return `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`
}
