/**
 * A bounded cache keyed by SQL text that forgets what was not used for longest. Statements have no age: who owns the cache clears
 * it when the schema changes.
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

interface Entry<A> {
  readonly statement: A
  /** The number of the use that was its last. */
  usedAt: number
}

/**
 * An empty cache of at most `capacity` statements.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = <A>(capacity: number, prepare: (sql: string) => A): StatementCache<A> => {
  const statements = new Map<string, Entry<A>>()
  let uses = 0

  const forgetOldest = (): void => {
    let oldest: string | undefined
    let least = Infinity
    for (const [sql, { usedAt }] of statements) {
      if (usedAt >= least) continue
      least = usedAt
      oldest = sql
    }
    if (oldest !== undefined) statements.delete(oldest)
  }

  return {
    get(sql) {
      uses += 1
      const cached = statements.get(sql)
      if (cached !== undefined) {
        // A number and no new place in the map: a hit is on the way of every statement, a full cache is rare.
        cached.usedAt = uses
        return cached.statement
      }
      const statement = prepare(sql)
      if (statements.size >= capacity) forgetOldest()
      statements.set(sql, { statement, usedAt: uses })
      return statement
    },
    has: (sql) => statements.has(sql),
    size: () => statements.size,
    clear: () => statements.clear()
  }
}
