/**
 * What an address is, decided in one place: naming, caching, challenges and routes must not differ about it.
 *
 * **Details**
 *
 * The router decodes an address before it matches it, so that `/%762/token` would be `/v2/token` to it and to nobody
 * else. No address of ours needs an escape in its first segment: one that has it is not an address of ours.
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
 * An address without its query.
 *
 * @category getters
 * @since 0.1.0
 */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/**
 * The address with one slash where its path has several, as base addresses that end in a slash make them.
 *
 * @category conversions
 * @since 0.1.0
 */
export const canonical = (url: string): string => {
  const path = pathOf(url)
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") + url.slice(path.length) : url
}

/**
 * Whether the first segment of an address is written with escapes.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isDisguised = (url: string): boolean => /^\/?[^/?#]*%/.test(url)

/**
 * Whether an address is under the interface's prefix.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isInterface = (url: string): boolean => url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length))

/**
 * Whether an address is that of the token operation.
 *
 * @category predicates
 * @since 0.1.0
 */
export const isToken = (url: string): boolean => /^\/token\/?$/.test(pathOf(url).slice(base.length)) && isInterface(url)
