/**
 * Classification of URLs. Naming, caching, challenges and routes all use this module, so they cannot disagree.
 *
 * @since 0.1.0
 */

/**
 * The prefix of the interface's operations (interface section 9).
 *
 * @category constants
 * @since 0.1.0
 */
export const base = "/v2"

/**
 * Returns the URL without its query.
 *
 * @category getters
 * @since 0.1.0
 */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/**
 * Returns true if a URL is under the interface's prefix.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isInterface = (url: string): boolean => url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length))

/**
 * Returns true if a URL is the token operation's.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToken = (url: string): boolean => /^\/token\/?$/.test(pathOf(url).slice(base.length)) && isInterface(url)

/**
 * The header that forbids caches to store a response of the interface, which may contain tokens and debts (RFC 6749,
 * section 5.1).
 *
 * @category headers
 * @since 0.1.0
 */
export const noStore = { "cache-control": "no-store" }
