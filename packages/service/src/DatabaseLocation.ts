/**
 * Where a sandbox keeps its rows: a SQLite file, memory, or a PostgreSQL database.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"

/**
 * A path or `:memory:` in the clear; the URL of a PostgreSQL database, which has a password in it, redacted.
 *
 * @category models
 * @since 0.1.0
 */
export type DatabaseLocation = string | Redacted.Redacted

// Without slashes it is no URL, and no file name either: what follows may be a password.
const looksLikePostgres = (text: string): boolean => /^\s*postgres(?:ql)?:/i.test(text)

/**
 * True for `postgres://..` and `postgresql://..`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text)

/**
 * The location that a text names: redacted as soon as it begins like a PostgreSQL URL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const locationOf = (database: DatabaseLocation): DatabaseLocation =>
  typeof database === "string" && looksLikePostgres(database) ? Redacted.make(database) : database

/**
 * The location as it may stand in output and errors: without user name, password and parameters.
 *
 * @category conversions
 * @since 0.1.0
 */
export const shown = (database: DatabaseLocation): string => {
  const location = locationOf(database)
  if (typeof location === "string") return location
  const text = Redacted.value(location)
  if (!isPostgresUrl(text) || !URL.canParse(text)) return "a PostgreSQL database"
  const { host, pathname, protocol } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/**
 * The file of the master key that belongs to a database when no other is named; undefined for memory, whose key passes
 * with it. Every process of one PostgreSQL database needs a copy of the same file.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyFileOf = (database: DatabaseLocation): string | undefined => {
  const location = locationOf(database)
  if (location === ":memory:") return undefined
  return typeof location === "string" ? `${location}.key` : ".parcela/postgres.key"
}
