/**
 * The location of a service's rows: a SQLite file, memory, or a PostgreSQL database.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"

/**
 * A path or `:memory:` as text, or the redacted URL of a PostgreSQL database, which contains a password.
 *
 * @category models
 * @since 0.1.0
 */
export type DatabaseLocation = string | Redacted.Redacted

// Without slashes the text is neither a URL nor a file name, but the rest may be a password.
const startsLikePostgres = (text: string): boolean => /^\s*postgres(?:ql)?:/i.test(text)

/**
 * Returns true for `postgres://..` and `postgresql://..`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//i.test(text)

/**
 * Returns the location of a text, redacted if it starts like a PostgreSQL URL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const locationOf = (database: DatabaseLocation): DatabaseLocation =>
  typeof database === "string" && startsLikePostgres(database) ? Redacted.make(database) : database

/**
 * Returns the location for output and errors: without user name, password and parameters.
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
 * Returns the default master key file of a database; undefined for `:memory:`, whose key is temporary. Every process on
 * one PostgreSQL database needs a copy of the same file.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyFileOf = (database: DatabaseLocation): string | undefined => {
  const location = locationOf(database)
  if (location === ":memory:") return undefined
  return typeof location === "string" ? `${location}.key` : ".parcela/postgres.key"
}
