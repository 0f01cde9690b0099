/**
 * How a server's router reads paths, apart from the contract: a server that listens has made no routes yet.
 *
 * @since 0.1.0
 */

/**
 * What the contract needs of a server's router: Effect's own refuses path segments beyond 100 characters with a 404,
 * and a `myId` has up to 255, each at most 12 characters when percent-encoded. A trailing slash makes no difference, and
 * capitals do: what is `/v2` to the router is `/v2` to everything around it.
 *
 * @category configuration
 * @since 0.1.0
 */
export const routerConfig = { maxParamLength: 255 * 12, ignoreTrailingSlash: true, caseSensitive: true }
