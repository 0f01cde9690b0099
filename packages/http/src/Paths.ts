/**
 * Classification of URLs. Naming, caching, challenges and routes all use this module, so they cannot disagree.
 *
 * **Details**
 *
 * The router decodes a path before matching: `/%762/token` would be `/v2/token` for the router only. Our paths never
 * need an escape in the first segment, so a path with one is unknown.
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
 * Returns the URL with repeated slashes of its path merged. Base addresses that end in a slash cause repeated slashes.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonical = (url: string): string => {
  const path = pathOf(url)
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") + url.slice(path.length) : url
}

/**
 * Returns true if the first segment of a URL contains escapes.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isDisguised = (url: string): boolean => /^\/?[^/?#]*%/.test(url)

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
