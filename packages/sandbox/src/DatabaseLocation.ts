/**
 * Where a sandbox keeps its rows: a SQLite file, memory, or a PostgreSQL database.
 *
 * @since 0.1.0
 */

/**
 * True for `postgres://..` and `postgresql://..`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//i.test(database)

/**
 * The location as it may stand in output and errors: without user name, password and parameters.
 *
 * @category conversions
 * @since 0.1.0
 */
export const shown = (database: string): string => {
  if (!isPostgres(database)) return database
  if (!URL.canParse(database)) return "a PostgreSQL database"
  const { host, pathname, protocol } = new URL(database)
  return `${protocol}//${host}${pathname}`
}

/**
 * The file of the master key that belongs to a database when no other is named; undefined for memory, whose key passes
 * with it. Every process of one PostgreSQL database needs a copy of the same file.
 *
 * @category conversions
 * @since 0.1.0
 */
export const keyFileOf = (database: string): string | undefined => {
  if (database === ":memory:") return undefined
  return isPostgres(database) ? ".parcela/postgres.key" : `${database}.key`
}
