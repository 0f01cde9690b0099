/**
 * A bounded cache keyed by SQL text that forgets what was not used for longest.
 *
 * @since 0.1.0
 */

/**
 * @category models
 * @since 0.1.0
 */
export interface StatementCache<A> {
  /** The cached statement, or a newly prepared one. Throws what preparing throws, and then keeps nothing. */
  readonly get: (sql: string) => A
  readonly has: (sql: string) => boolean
  readonly size: () => number
  readonly clear: () => void
}

/**
 * An empty cache of at most `capacity` statements.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A>(capacity: number, prepare: (sql: string) => A): StatementCache<A> => {
  // A Map iterates in order of insertion, so the first key is the one used longest ago.
  const statements = new Map<string, A>()
  return {
    get(sql) {
      const cached = statements.get(sql)
      if (cached !== undefined) {
        statements.delete(sql)
        statements.set(sql, cached)
        return cached
      }
      const statement = prepare(sql)
      statements.set(sql, statement)
      if (statements.size > capacity) {
        for (const oldest of statements.keys()) {
          statements.delete(oldest)
          break
        }
      }
      return statement
    },
    has: (sql) => statements.has(sql),
    size: () => statements.size,
    clear: () => statements.clear()
  }
}
