/**
 * A bounded cache of the results of a pure function.
 *
 * @since 0.1.0
 */

/**
 * Returns a function that computes each result once. When `maxSize` results are cached, all are dropped: for a cache that rarely
 * fills, this is cheaper than the bookkeeping that finds the oldest result.
 *
 * @category constructors
 * @since 0.1.0
 */
export const memoize = <K, V>(maxSize: number, compute: (key: K) => V): ((key: K) => V) => {
  const results = new Map<K, V>()
  return (key) => {
    const cached = results.get(key)
    // The result itself may be undefined.
    if (cached !== undefined || results.has(key)) return cached as V
    const result = compute(key)
    if (results.size >= maxSize) results.clear()
    results.set(key, result)
    return result
  }
}
