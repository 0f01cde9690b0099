/**
 * Settings of the server's router, separate from the contract because a server starts to listen before its routes
 * exist.
 *
 * @since 0.1.0
 */

/**
 * The router settings that the contract needs. Effect's default refuses path segments above 100 characters with a 404,
 * but a `myId` has up to 255 characters, each at most 12 when percent-encoded. A trailing slash is ignored. Paths are
 * case-sensitive, so that the router and its middleware agree on the meaning of `/v2`.
 *
 * @category configuration
 * @since 0.1.0
 */
export const routerConfig = { maxParamLength: 255 * 12, ignoreTrailingSlash: true, caseSensitive: true }
