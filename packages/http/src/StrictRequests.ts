/**
 * How requests are read that are not quite as the contract has them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"

/**
 * Whether the server refuses what it could read another way: unknown keys, numbers as text and so on. It does not by default.
 *
 * @category settings
 * @since 0.1.0
 */
export const StrictRequests = Context.Reference<boolean>("@parcela/http/StrictRequests", { defaultValue: () => false })
